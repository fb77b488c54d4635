package bib

import "slices"

// cslTypes are the types of CSL 1.0.2.
var cslTypes = []string{
	"article", "article-journal", "article-magazine", "article-newspaper", "bill", "book", "broadcast", "chapter", "classic", "collection", "dataset", "document",
	"entry", "entry-dictionary", "entry-encyclopedia", "event", "figure", "graphic", "hearing", "interview", "legal_case", "legislation", "manuscript", "map",
	"motion_picture", "musical_score", "pamphlet", "paper-conference", "patent", "performance", "periodical", "personal_communication", "post", "post-weblog",
	"regulation", "report", "review", "review-book", "software", "song", "speech", "standard", "thesis", "treaty", "webpage",
}

func periodical(t string) bool {
	return slices.Contains([]string{"article-journal", "article-magazine", "article-newspaper", "review", "review-book"}, t)
}

func chapterLike(t string) bool {
	return slices.Contains([]string{"chapter", "paper-conference", "entry", "entry-dictionary", "entry-encyclopedia"}, t)
}

func bookLike(t string) bool {
	return chapterLike(t) || slices.Contains([]string{"book", "classic", "collection"}, t)
}

func webLike(t string) bool { return t == "webpage" || t == "post" || t == "post-weblog" }

// babel pairs the names that LaTeX knows languages by with the codes of CSL.
var babel = map[string]string{
	"english": "en", "american": "en-US", "usenglish": "en-US", "british": "en-GB", "ukenglish": "en-GB", "ngerman": "de", "german": "de", "naustrian": "de-AT", "french": "fr", "francais": "fr",
	"spanish": "es", "italian": "it", "portuguese": "pt", "brazilian": "pt-BR", "dutch": "nl", "danish": "da", "swedish": "sv", "norsk": "nb", "nynorsk": "nn", "finnish": "fi", "icelandic": "is",
	"polish": "pl", "czech": "cs", "slovak": "sk", "hungarian": "hu", "romanian": "ro", "bulgarian": "bg", "russian": "ru", "ukrainian": "uk", "greek": "el", "turkish": "tr", "arabic": "ar",
	"hebrew": "he", "japanese": "ja", "chinese": "zh", "korean": "ko", "latin": "la", "catalan": "ca", "croatian": "hr", "slovene": "sl", "serbian": "sr", "estonian": "et", "latvian": "lv", "lithuanian": "lt",
}

// babelNames is babel read the other way, with one name for each code.
var babelNames = map[string]string{
	"en": "english", "en-US": "american", "en-GB": "british", "de": "ngerman", "de-AT": "naustrian", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese", "pt-BR": "brazilian",
	"nl": "dutch", "da": "danish", "sv": "swedish", "nb": "norsk", "nn": "nynorsk", "fi": "finnish", "is": "icelandic", "pl": "polish", "cs": "czech", "sk": "slovak", "hu": "hungarian", "ro": "romanian",
	"bg": "bulgarian", "ru": "russian", "uk": "ukrainian", "el": "greek", "tr": "turkish", "ar": "arabic", "he": "hebrew", "ja": "japanese", "zh": "chinese", "ko": "korean", "la": "latin", "ca": "catalan",
	"hr": "croatian", "sl": "slovene", "sr": "serbian", "et": "estonian", "lv": "latvian", "lt": "lithuanian",
}

// texKinds gives the entry type of BibLaTeX and of BibTeX for each type of CSL.
var texKinds = map[string][2]string{
	"article": {"unpublished", "misc"}, "article-journal": {"article", "article"}, "article-magazine": {"article", "article"}, "article-newspaper": {"article", "article"},
	"bill": {"legislation", "misc"}, "book": {"book", "book"}, "broadcast": {"video", "misc"}, "chapter": {"incollection", "incollection"}, "classic": {"book", "book"},
	"collection": {"collection", "book"}, "dataset": {"dataset", "misc"}, "document": {"misc", "misc"}, "entry": {"inreference", "incollection"},
	"entry-dictionary": {"inreference", "incollection"}, "entry-encyclopedia": {"inreference", "incollection"}, "event": {"misc", "misc"}, "figure": {"image", "misc"},
	"graphic": {"artwork", "misc"}, "hearing": {"legal", "misc"}, "interview": {"misc", "misc"}, "legal_case": {"jurisdiction", "misc"}, "legislation": {"legislation", "misc"},
	"manuscript": {"unpublished", "unpublished"}, "map": {"misc", "misc"}, "motion_picture": {"movie", "misc"}, "musical_score": {"music", "misc"}, "pamphlet": {"booklet", "booklet"},
	"paper-conference": {"inproceedings", "inproceedings"}, "patent": {"patent", "misc"}, "performance": {"performance", "misc"}, "periodical": {"periodical", "misc"},
	"personal_communication": {"letter", "misc"}, "post": {"online", "misc"}, "post-weblog": {"online", "misc"}, "regulation": {"legislation", "misc"}, "report": {"report", "techreport"},
	"review": {"review", "article"}, "review-book": {"review", "article"}, "software": {"software", "misc"}, "song": {"audio", "misc"}, "speech": {"unpublished", "unpublished"},
	"standard": {"standard", "misc"}, "thesis": {"thesis", "phdthesis"}, "treaty": {"legal", "misc"}, "webpage": {"online", "misc"},
}
