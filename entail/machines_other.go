//go:build !amd64

package entail

// machines are those that this processor has, best first.
func machines() []machine { return []machine{portable{}} }
