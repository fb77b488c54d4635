// Package ibid holds the nouns and contracts of Ibid.
package ibid
