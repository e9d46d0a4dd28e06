package launch

import (
	"bytes"
	"errors"
	"net"
	"testing"
)

// Connections that say nothing, talk without end or have another token do not keep the
// ranks out, however many there are.
func TestStrangersKeepNobodyOut(t *testing.T) {
	l, err := listenAt([]string{loopback})
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	address := l.addresses()[0]
	for i := range 8 * strangers {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i == 0 {
			go func() { // until it is cut off
				for err := error(nil); err == nil; {
					_, err = conn.Write(bytes.Repeat([]byte("x"), 1<<16))
				}
			}()
		}
	}
	ranks := []*peer{}
	admitted := make(chan error, 1)
	go func() {
		admitted <- l.admitAll(3, "token", func(p *peer) error { ranks = append(ranks, p); return nil })
	}()
	if p, err := dial(address, hello{Token: "another", Rank: 9}); err == nil {
		t.Errorf("%v was admitted", p.who)
	}
	for r := range 3 {
		p, err := dial(address, hello{Token: "token", Rank: r + 1})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
	}
	// Strangers one after another would take longer than the ranks have.
	if err := <-admitted; err != nil || len(ranks) != 3 {
		t.Errorf("%d ranks admitted: %v", len(ranks), err)
	}
	for _, p := range ranks {
		_ = p.Close()
	}
	if err := l.admitAll(0, "token", func(*peer) error { return errors.New("nobody was to come") }); err != nil {
		t.Error(err)
	}
}
