// Package childtest checks the child side of the plugin protocol, clause by
// clause: it plays the host against a running child.
//
// A [Case] speaks raw frames over the socket with a [Host], which follows a
// script and not the protocol's rules: it can send what no host may, and sees
// what a session would hide. The child under test may be any program
// ([Subject]); the cases use nothing of ours but what the protocol names.
package childtest
