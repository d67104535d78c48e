//go:build race

package payloadref

const raceDetector = true
