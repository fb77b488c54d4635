//go:build !wip

package main

type opened struct{}
