package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "c1ece04f7bb90adc5f8aff5d94e9cbdd9bd7f18222b999c683bd12ec20756a8a"
