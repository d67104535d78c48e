// Package port is the port protocol, for both sides (docs/ports.md): its messages,
// and [Serve], the loop of a port in Go. It needs nothing but our codec.
package port
