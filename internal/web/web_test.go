package web

import (
	"net"
	"testing"
	"testing/synctest"
	"time"
)

func TestOnlyThisMachineUnlessAsked(t *testing.T) {
	for address, want := range map[string]string{
		":80": "127.0.0.1:80", "80": "127.0.0.1:80", "0.0.0.0:80": "0.0.0.0:80", "[::1]:80": "[::1]:80", "host:80": "host:80",
	} {
		if got := Local(address); got != want {
			t.Errorf("%q listens at %q, want %q", address, got, want)
		}
	}
}

// crowd is a listener at which somebody knocks as often as it is asked.
type crowd struct {
	net.Listener
	knocks int
}

func (c *crowd) Accept() (net.Conn, error) {
	c.knocks++
	here, there := net.Pipe()
	_ = there.Close()
	return here, nil
}

// However many knock, few are looked at while all places are taken, and the first who comes when one is
// free gets in.
func TestStrangersWaitOutside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 3
		outside := &crowd{}
		l := Limit(outside, most)
		var inside []net.Conn
		for range most {
			conn, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			inside = append(inside, conn)
		}
		began := time.Now()
		go func() {
			time.Sleep(time.Second)
			_ = inside[0].Close()
			_ = inside[0].Close() // a second time it frees no place
		}()
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if waited := time.Since(began); waited < time.Second || waited > time.Second+rest {
			t.Errorf("let in after %v, want one second", waited)
		}
		if most := atOnce*(int(time.Second/rest)+1) + most + 1; outside.knocks > most {
			t.Errorf("%d connections were accepted in a second, want at most %d", outside.knocks, most)
		}
		if l.Open() != most {
			t.Errorf("%d connections are open, want %d", l.Open(), most)
		}
	})
}
