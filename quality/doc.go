// Package quality says how far a source can be leaned on, and why: what kind of source it is, which identifiers it has, how
// old it is for its topic, whether other sources agree, and what people said of it.
//
// A score orders and labels. It never hides a source, and it says nothing of whether the source is right: a blog may be,
// and a journal may not. Every point of it is named in the parts, which add up to it.
package quality
