package web

import "testing"

func TestOnlyThisMachineUnlessAsked(t *testing.T) {
	for address, want := range map[string]string{
		":80": "127.0.0.1:80", "80": "127.0.0.1:80", "0.0.0.0:80": "0.0.0.0:80", "[::1]:80": "[::1]:80", "host:80": "host:80",
	} {
		if got := Local(address); got != want {
			t.Errorf("%q listens at %q, want %q", address, got, want)
		}
	}
}
