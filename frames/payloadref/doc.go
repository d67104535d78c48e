// Package payloadref moves payloads that are too big for a tool-child frame as
// acknowledged files.
//
// The sender's [Writer] writes a payload below a root that both sides share and
// sends a reference in a frame. The receiver's [Reader] derives the path from
// the root, the generation and the id, checks size and sha256, and answers with
// ref_ack or ref_nack. Until then the file is the writer's, whatever becomes of
// the operation that sent it; on ref_ack it becomes the reader's, which deletes
// it once it is consumed; on ref_nack the writer deletes it. What a dead process
// leaves behind goes with its generation ([Writer.Teardown],
// [TeardownGeneration], [SweepGenerations], [Reader.PeerDied]).
//
// Below the root, a generation has a folder of its own:
//
//	gen-N/partial/ID   a file that is being written
//	gen-N/refs/ID      a whole file, renamed from partial
//	gen-N/spool/       the application's; it goes with the generation
//
// Folders are 0700, files 0600. No link below the root is followed. Files are
// safe against the death of a process, not of the machine: nothing is fsynced,
// for no reference outlives the processes that know it.
package payloadref
