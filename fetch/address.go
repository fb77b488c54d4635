package fetch

import (
	"net/netip"
	"strconv"
)

const allowHint = "allow it with --allow-private"

// checkAddress refuses an address that is not of the public internet. Addresses of IPv4 that are wrapped in IPv6 are
// unwrapped first: a translator on the way would do the same.
func (f *Fetcher) checkAddress(address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return refuse("", address+" is not an address", "")
	}
	if !f.allowedPort(int(ap.Port())) {
		port := strconv.Itoa(int(ap.Port()))
		return refuse("", "the port of "+address+" is "+port+" and not 80 or 443", "allow it with --allow-port "+port)
	}
	ip := unwrap(ap.Addr())
	kind, never := classify(ip)
	switch {
	case kind == "":
		return nil
	case never:
		return refuse("", ip.String()+" is "+kind, "it is never fetched")
	case f.cfg.AllowPrivate:
		return nil
	}
	return refuse("", ip.String()+" is "+kind, allowHint)
}

var (
	nat64  = netip.MustParsePrefix("64:ff9b::/96")
	sixTo4 = netip.MustParsePrefix("2002::/16")
	compat = netip.MustParsePrefix("::/96") // long out of use
)

// unwrap gives the address of IPv4 within one of IPv6, or the address itself.
func unwrap(ip netip.Addr) netip.Addr {
	if ip.Is4In6() {
		return ip.Unmap()
	}
	b := ip.As16()
	switch plain := ip.WithZone(""); {
	case !ip.Is6():
	case nat64.Contains(plain):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case sixTo4.Contains(plain):
		return netip.AddrFrom4([4]byte(b[2:6]))
	case compat.Contains(plain) && !plain.IsLoopback() && !plain.IsUnspecified():
		return netip.AddrFrom4([4]byte(b[12:16]))
	}
	return ip
}

type addressRange struct {
	prefix netip.Prefix
	kind   string
	never  bool // not even where private addresses are allowed: nobody answers there
}

// ranges are those that IANA's registries of special addresses do not call globally reachable.
var ranges = makeRanges()

func makeRanges() []addressRange {
	var out []addressRange
	for _, r := range []struct {
		kind     string
		never    bool
		prefixes []string
	}{
		{"a loopback address", false, []string{"127.0.0.0/8", "::1/128"}},
		{"a private address", false, []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"}},
		{"a link-local address", false, []string{"169.254.0.0/16", "fe80::/10"}},
		{"an address of a carrier's network", false, []string{"100.64.0.0/10"}},
		{"an address of a local translator", false, []string{"64:ff9b:1::/48"}},
		{"an unspecified address", true, []string{"0.0.0.0/8", "::/128"}},
		{"a multicast address", true, []string{"224.0.0.0/4", "ff00::/8"}},
		{"a reserved address", true, []string{"240.0.0.0/4", "192.0.0.0/24", "192.88.99.0/24", "100::/64", "2001::/23", "5f00::/16"}},
		{"an address for documentation", true, []string{"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"}},
		{"an address for measurements", true, []string{"198.18.0.0/15"}},
	} {
		for _, p := range r.prefixes {
			out = append(out, addressRange{netip.MustParsePrefix(p), r.kind, r.never})
		}
	}
	return out
}

// classify names what an address is where it is not public, "" where it is.
func classify(ip netip.Addr) (kind string, never bool) {
	ip = ip.WithZone("")
	for _, r := range ranges {
		if r.prefix.Contains(ip) {
			return r.kind, r.never
		}
	}
	return "", false
}
