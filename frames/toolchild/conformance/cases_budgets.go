package conformance

import (
	"encoding/json"
	"fmt"
	"slices"

	"phpwire/frames/toolchild"
)

func budgetCases(l *list) {
	l.add("limits", "TC-B11", func(s *session) {
		s.open()
		limits := map[string]int{}
		s.into(&limits, "limits", nil)
		for _, limit := range toolchild.Limits() {
			s.want(limits[limit.Name] == limit.Value, "%s: got %d, want %d", limit.Name, limits[limit.Name], limit.Value)
		}
	})
	l.child("budget/jobs", "TC-B1", func(s *session) {
		s.open()
		s.holdJobs("", toolchild.Jobs)
		s.refusesJob("")
		s.send(toolchild.Cancel, toolchild.Fields{"jobId": "hold-3"})
		s.want(s.await(toolchild.JobError).Text("jobId") == "hold-3", "another job was cancelled")
		s.alive()
	})
	l.child("budget/nested-beside-ordinary", "TC-B2", func(s *session) {
		s.open()
		s.holdJobs("", toolchild.Jobs)
		s.check(s.peer.AskAs("nested", "hold-0", "echo", "ping", nil))
		s.answered("nested")
	})
	l.child("budget/nested", "TC-B2", func(s *session) {
		s.open()
		s.holdJobs("parent", toolchild.HostCallCapacity)
		s.refusesJob("parent")
		s.alive()
	})
	l.server("budget/calls-active", "TC-B3", func(s *session) {
		s.open()
		s.holdCalls(toolchild.HostCallActive + 2)
		held := s.heldCalls(toolchild.HostCallActive)
		s.want(s.fenced(toolchild.Job) == 0, "more than %d host calls run", toolchild.HostCallActive)
		s.letGo(held[0])
		s.heldCalls(1)
		s.want(s.fenced(toolchild.Job) == 0, "one host call ended and more than one began")
	})
	l.server("budget/calls-waiting", "TC-B4", func(s *session) {
		s.open()
		const total = toolchild.HostCallCapacity
		s.holdCalls(total)
		running := s.heldCalls(toolchild.HostCallActive)
		for i := range total {
			call := heldCall(running[0])
			s.want(call == fmt.Sprintf("hold-%d", i), "%s runs in place %d", call, i)
			s.letGo(running[0])
			running = running[1:]
			if i+toolchild.HostCallActive < total {
				running = append(running, s.heldCalls(1)...)
			}
		}
	})
	l.server("budget/calls-refused", "TC-B5", func(s *session) {
		s.open()
		s.holdCalls(toolchild.HostCallCapacity + 1)
		refused := s.await(toolchild.HostCallRefused).Text("callId")
		want := fmt.Sprintf("hold-%d", toolchild.HostCallCapacity)
		s.want(refused == want, "%s was refused, want %s", refused, want)
		s.want(s.fenced(toolchild.HostCallRefused) == 0, "more than one was refused")
	})
	l.child("budget/wakes-by-count", "TC-B6", func(s *session) {
		s.open()
		s.wakes(toolchild.WakePending+3, 1, toolchild.WakePending)
	})
	l.child("budget/wakes-by-bytes", "TC-B7", func(s *session) {
		s.open()
		s.wakes(7, toolchild.WakePendingBytes/4, 4)
	})
	l.child("budget/wakes-over-bytes", "TC-B7", func(s *session) {
		s.open()
		s.wakes(7, toolchild.WakePendingBytes/4+1, 3)
	})
	l.child("budget/wake-alone", "TC-B7", func(s *session) {
		s.open()
		s.wakes(3, toolchild.WakePendingBytes+1, 1)
	})
	l.child("budget/wakes-all-come", "TC-B8", func(s *session) {
		s.open()
		const total = 3 * toolchild.WakePending
		_, err := s.peer.Ask("wake", toolchild.Fields{"count": total, "bytes": 1000}, nil)
		s.check(err)
		seen := map[string]bool{}
		for range total {
			id := s.await(toolchild.Wake).Text("wakeId")
			s.want(!seen[id], "wake %s came twice", id)
			seen[id] = true
			s.send(toolchild.WakeAck, toolchild.Fields{"wakeId": id})
		}
		s.want(s.count(toolchild.Wake) == 0, "more than %d wakes came", total)
	})
	l.child("budget/wake-ack-unknown", "TC-B6", func(s *session) {
		s.open()
		s.send(toolchild.WakeAck, toolchild.Fields{"wakeId": "no such wake"})
		s.wakes(toolchild.WakePending+1, 0, toolchild.WakePending)
	})
	trace := func(id, clause string, check func(s *session, sent []float64, dropped int)) {
		l.child(id, clause, func(s *session) {
			s.open()
			const total = 5 * toolchild.TracePerSecond
			ask, err := s.peer.Ask("trace", toolchild.Fields{"count": total}, nil)
			s.check(err)
			reply, err := s.peer.Answer(s.options.Timeout, ask)
			s.check(err)
			var counted struct{ Dropped int }
			s.check(json.Unmarshal(reply.Value, &counted))
			var sent []float64
			for {
				message, err := s.peer.Await(0, func(m toolchild.Message) bool { return m.Type == toolchild.Trace })
				if err != nil {
					break
				}
				at, _ := message.Number("atMs")
				sent = append(sent, at)
			}
			s.want(len(sent)+counted.Dropped == total, "%d traces came and %d were counted as dropped, of %d", len(sent), counted.Dropped, total)
			check(s, sent, counted.Dropped)
		})
	}
	trace("budget/traces", "TC-B9", func(s *session, sent []float64, dropped int) {
		slices.Sort(sent)
		for i := toolchild.TracePerSecond; i < len(sent); i++ {
			within := sent[i] - sent[i-toolchild.TracePerSecond]
			s.want(within >= 1000, "%d traces within %v ms", toolchild.TracePerSecond+1, within)
		}
		s.want(len(sent) >= toolchild.TracePerSecond, "only %d traces came", len(sent))
	})
	trace("budget/only-traces-are-dropped", "TC-B10", func(s *session, _ []float64, dropped int) {
		s.want(dropped > 0, "no trace was dropped")
		s.wakes(3, 1, 3)
	})
}

// holdJobs starts jobs that run until they are cancelled.
func (s *session) holdJobs(parent string, count int) {
	for i := range count {
		s.check(s.peer.AskAs(fmt.Sprintf("hold-%d", i), parent, "hold", nil, nil))
	}
}

// refusesJob fails unless the peer refuses one more job, and only that.
func (s *session) refusesJob(parent string) {
	s.check(s.peer.AskAs("more", parent, "echo", "ping", nil))
	reply, err := s.peer.Answer(s.options.Timeout, "more")
	s.check(err)
	s.want(reply.Refused, "one job too many was answered by %s%s, want job_refused", reply.Value, reply.Code)
	if message, err := s.peer.Receive(1); err == nil {
		s.failf("got %s, want that the others run", message.Body())
	}
}

// holdCalls makes host calls that run until the job that each of them gives is done.
func (s *session) holdCalls(count int) {
	for i := range count {
		s.check(s.peer.AskAs(fmt.Sprintf("hold-%d", i), "", "hold", nil, nil))
	}
}

// heldCalls waits for the jobs of host calls that run.
func (s *session) heldCalls(count int) []toolchild.Message {
	held := make([]toolchild.Message, count)
	for i := range held {
		held[i] = s.await(toolchild.Job)
	}
	return held
}

func heldCall(job toolchild.Message) string {
	var args struct{ CallID string }
	_ = json.Unmarshal(job.JSON("args"), &args)
	return args.CallID
}

func (s *session) letGo(job toolchild.Message) {
	s.send(toolchild.Result, toolchild.Fields{"jobId": job.Text("jobId"), "value": nil})
	reply, err := s.peer.Answer(s.options.Timeout, heldCall(job))
	s.check(err)
	s.want(reply.Code == "", "the host call failed: %s", reply.Code)
}

// fenced counts the messages of a type that came before the answer to a launch,
// which a server gives even when its host calls are full.
func (s *session) fenced(t toolchild.Type) int {
	s.send(toolchild.Launch, toolchild.Fields{
		"launchId": "fence", "jobId": "j", "origin": "tool", "api": "cp.spawn", "containment": "job", "lifetime": "owned",
	})
	s.await(toolchild.LaunchAck)
	return s.drain(t)
}

// wakes has the peer send wakes and fails unless only so many come, and one
// more for one that is acknowledged.
func (s *session) wakes(total, bytes, pending int) {
	_, err := s.peer.Ask("wake", toolchild.Fields{"count": total, "bytes": bytes}, nil)
	s.check(err)
	var first string
	for i := range min(total, pending) {
		id := s.await(toolchild.Wake).Text("wakeId")
		if i == 0 {
			first = id
		}
	}
	s.want(s.count(toolchild.Wake) == 0, "more than %d wakes of %d bytes were pending", pending, bytes)
	if total > pending {
		s.send(toolchild.WakeAck, toolchild.Fields{"wakeId": first})
		s.await(toolchild.Wake)
		s.want(s.count(toolchild.Wake) == 0, "more than one wake came for one wake_ack")
	}
}
