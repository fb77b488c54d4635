package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "7705d1deafee9fc46a736849622efac135384eaf055d61272c6f0a84d9d5e93e"
