package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "2fccb1f6e822626350be35b91f33d39f31e814502d89d0a49f7ede39bea6e298"
