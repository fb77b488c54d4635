// Package csl renders citations and bibliographies in any style of the Citation Style Language 1.0.2.
//
// A style is read once and shared:
//
//	library := csl.NewLibrary(os.DirFS("/usr/share/citation-style-language/styles"))
//	style, err := library.Style("apa")            // built in, or from a folder; csl.ParseStyle reads a file
//
// A document collects citations and renders them together, as numbers, "ibid." and year suffixes need the whole:
//
//	doc, err := csl.NewDocument(style, csl.Options{Items: references, Locales: library.Locale})
//	doc.Cite(csl.Cluster{Items: []csl.CiteItem{{ID: "doe2020", Locator: "12"}}})
//	citations := doc.Citations(csl.Text)          // one for each Cluster
//	bibliography, err := doc.Bibliography(csl.HTML)
//	changed := doc.Update(csl.Text)               // for a document that grows: what is new or reads otherwise now
//
// Nocite puts references into the bibliography that no citation names; without an argument, all of them. A style
// without a bibliography gives ErrNoBibliography. Warnings tells what the references lacked. The formats are Text,
// HTML, Markdown and LaTeX; Structure and BibliographyStructure give the tagged parts of the output for a page that
// wants to show them its own way. Check tells a style's author what is wrong with it, by line and element.
//
// The package reads no files and no clock of its own: styles and locales come from an io.Reader or an fs.FS. The
// terms of the languages that Languages lists and the styles that BuiltIn does are part of it.
package csl
