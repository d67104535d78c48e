// Package toolchild speaks the tool-child protocol: the private channel between
// a server and the child process that runs a session's tools.
//
// A message is a JSON object that the guard ([Parse]) lets through: a known
// type, every required field of its kind, no field that the type does not have.
// A frame ([Append], [Decoder]) is a 32-bit big-endian length and that many
// bytes of UTF-8 JSON. The guard judges a text as JSON.parse does, so that a
// program in Go and one in JavaScript never disagree about a message.
//
// Payloads above [RefThreshold] do not travel in a frame; package payloadref
// moves them as acknowledged files.
//
// docs/toolchild.md numbers the requirements (TC-…); package conformance tests
// them on any implementation.
package toolchild
