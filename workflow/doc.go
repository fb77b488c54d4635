// Package workflow is the order of things. Stages do not call each other; workflow calls them in turn and is the only one
// that fills an Answer:
//
//	reader ─ingest─▶ Document, Chunks ─▶ Library ─▶ index
//	question ─▶ retrieve ─▶ generate ─▶ segment ─▶ attribute ─▶ cite ─▶ gate ─▶ record
//
// Each workflow returns a sequence of events whose last one carries the result. The command line, the server and the
// tests range over the same sequence, so there is no second path that could differ.
package workflow
