//go:build !race

package payloadref

const raceDetector = false
