package ports

import "phpwire/ports/port"

// What the protocol calls things; package port has them.
type (
	Op      = port.Op
	Profile = port.Profile
	Hello   = port.Hello
)

// The operations and profiles.
const (
	Decode    = port.Decode
	Encode    = port.Encode
	Reencode  = port.Reencode
	Plugin    = port.Plugin
	Canonical = port.Canonical
	PHP       = port.PHP
)
