package conformance

import (
	"strings"

	"phpwire/frames/toolchild"
)

func frameCases(l *list) {
	l.add("frame/several-in-one-write", "TC-F1", func(s *session) {
		s.open()
		var stream []byte
		for _, id := range []string{"a", "b", "c"} {
			stream = append(stream, frame(s.pingBody(id))...)
		}
		s.raw(stream)
		for _, id := range []string{"a", "b", "c"} {
			s.answered(id)
		}
	})
	l.add("frame/byte-by-byte", "TC-F2", func(s *session) {
		s.open()
		for _, b := range frame(s.pingBody("a")) {
			s.check(s.peer.SendBytes([]byte{b}))
		}
		s.note("> %s, byte by byte", s.pingBody("a"))
		s.answered("a")
	})
	l.add("frame/cut-in-header-and-body", "TC-F2", func(s *session) {
		s.open()
		one := frame(s.pingBody("a"))
		stream := append(append([]byte{}, one...), frame(s.pingBody("b"))...)
		s.raw(stream[:2])
		s.raw(stream[2:10])
		s.raw(stream[10 : len(one)+3])
		s.answered("a")
		s.raw(stream[len(one)+3:])
		s.answered("b")
	})
	l.add("frame/largest", "TC-F3", func(s *session) {
		s.open()
		body := strings.Replace(s.pingBody("big"), `"echo"`, `"limits"`, 1)
		body = strings.Replace(body, `"ping"`, `"`+strings.Repeat("a", toolchild.FrameBytes-len(body)+len("ping"))+`"`, 1)
		s.sendBody([]byte(body))
		reply, err := s.peer.Answer(s.options.Timeout, "big")
		s.check(err)
		s.want(reply.Value != nil, "the largest frame was answered by %s", reply.Code)
	})
	for _, c := range [][2]string{{"one-above", "\x01\x00\x00\x01"}, {"most", "\xff\xff\xff\xff"}} {
		l.add("frame/oversize-"+c[0], "TC-F4", func(s *session) {
			s.open()
			s.raw([]byte(c[1]))
			s.closed()
		})
	}
	bad := func(id, clause, body string) {
		l.add(id, clause, func(s *session) {
			s.open()
			s.raw(append(frame(body), frame(s.pingBody("b"))...))
			s.closed()
		})
	}
	bad("frame/empty-body", "TC-F6", "")
	bad("frame/not-json", "TC-F6", "{")
	bad("frame/not-utf8", "TC-F5", strings.Replace((&session{role: l.role}).pingBody("a"), "ping", "\xff", 1))
	l.add("frame/stays-failed", "TC-F7", func(s *session) {
		s.open()
		s.alive()
		s.raw(append(frame("{}"), frame(s.pingBody("a"))...))
		s.raw(frame(s.pingBody("b")))
		s.closed()
	})
	l.add("frame/ends-in-header", "TC-F8", func(s *session) {
		s.open()
		s.raw([]byte("\x00\x00"))
		s.endsWith(false)
	})
	l.add("frame/ends-in-body", "TC-F8", func(s *session) {
		s.open()
		whole := frame(s.pingBody("a"))
		s.raw(whole[:len(whole)-1])
		s.endsWith(false)
	})
	l.add("frame/ends-between", "TC-S5", func(s *session) {
		s.open()
		s.alive()
		s.endsWith(true)
	})

	// Each shape that the peer's own side sends is of the wrong direction for it.
	for _, shape := range toolchild.Vocabulary() {
		if shape.Direction != l.role.Sends() {
			continue
		}
		for _, v := range toolchild.GuardVectors() {
			if v.ID == "guard/"+string(shape.Type)+"/all" {
				bad("direction/"+string(shape.Type), "TC-D1", string(v.Text))
			}
		}
	}
	for _, control := range []string{`{"type":"ref_ack","refId":"a"}`, `{"type":"ref_nack","refId":"a","reason":"corrupt"}`} {
		name, _, _ := strings.Cut(strings.TrimPrefix(control, `{"type":"`), `"`)
		l.add("direction/"+name, "TC-D2", func(s *session) {
			s.open()
			s.sendBody([]byte(control))
			s.alive()
		})
	}
}

// endsWith closes the stream and fails unless the peer ends as it should.
func (s *session) endsWith(success bool) {
	status := s.peer.Close()
	s.note("the stream ends; the peer's status is %d", status)
	s.want((status == 0) == success, "the peer ended with status %d", status)
}
