// Package text finds sentences and words, compares and measures texts. Everything it finds is a span of bytes.
package text
