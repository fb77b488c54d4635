package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "d55e4cf95db02b498e4b05a2b3e5da7fcaca8c694f57176f22c752ea98590b95"
