package fetch

import "net/netip"

// Kind names what an address is where it may not be fetched, "" where it may.
func Kind(ip netip.Addr) string {
	kind, _ := classify(unwrap(ip))
	return kind
}
