// Checks a receipt of an Ibid log with nothing of Ibid's, after docs/audit.md.
//
//   node check-receipt.mjs receipt.json 'name+hash+key'
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const fail = what => { console.error(`does not hold: ${what}`); process.exit(1) }
const sha256 = (...parts) => parts.reduce((h, p) => h.update(p), createHash('sha256')).digest()
const hex = s => /^([0-9a-f]{2})*$/.test(s) ? Buffer.from(s, 'hex') : fail(`${s} is not hexadecimal`)

const file = readFileSync(process.argv[2], 'utf8')
const parse = s => { try { return JSON.parse(s) } catch { fail('it is not JSON') } }
const receipt = parse(file)
if (receipt?.form !== 'ibid log receipt v1') fail('it is no receipt')

// 0. It can be read in one way only: every name is known, and comes once.
const known = ['form', 'entry', 'proof', 'checkpoint', 'index', 'at', 'clock', 'kind', 'commitment', 'prev', 'hash', 'salt', 'payload', 'payload_base64']
const names = file.match(/"(?:[^"\\]|\\.)*"(\s*:)?/g).filter(s => s.endsWith(':')).map(s => parse(s.slice(0, s.lastIndexOf('"') + 1)))
if (names.some(n => !known.includes(n)) || new Set(names).size < names.length) fail('a name is not known, or comes twice')
const e = receipt.entry
if (!Number.isSafeInteger(e?.index) || !Array.isArray(receipt.proof) || typeof receipt.checkpoint !== 'string') fail('it is no receipt')

// 1. The payload is what the entry commits to. Where there is one, its salt is there too.
const payloads = [e.payload, e.payload_base64].filter(p => p !== undefined)
if (payloads.length > 1 || (payloads.length === 1) !== (e.salt !== undefined)) fail('payload and salt do not stand together')
if (e.salt !== undefined) {
  if (hex(e.salt).length !== 32) fail('the salt is not 32 bytes') // zeros behind it would give the same commitment
  const payload = Buffer.from(payloads[0], e.payload !== undefined ? 'utf8' : 'base64')
  const commitment = createHmac('sha256', hex(e.salt)).update('ibid log payload v1\n').update(payload).digest('hex')
  if (commitment !== e.commitment) fail('the payload is not what was recorded')
}

// 2. The hash of the entry is that of its leaf.
const leaf = 'ibid log entry v1\n' + `index ${e.index}\n` + `at ${e.at}\n` + (e.clock ? `clock ${e.clock}\n` : '') +
  `kind ${e.kind}\n` + `commitment ${e.commitment}\n` + `prev ${e.prev}\n`
let hash = sha256('\x00', leaf)
if (hash.toString('hex') !== e.hash) fail('the entry is not what was hashed')

// 3. The signature over the checkpoint's text is the key's.
const [name, keyHash, data] = process.argv[3].split(/\+(?=[0-9a-f]{8}\+)|(?<=\+[0-9a-f]{8})\+/)
const [text, signatures = ''] = receipt.checkpoint.split('\n\n')
const key = Buffer.from(data, 'base64') // algorithm 1, then 32 bytes of Ed25519
const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(1)])
const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
const signed = signatures.split('\n').some(line => {
  const [dash, who, value] = line.split(' ')
  const s = Buffer.from(value ?? '', 'base64')
  return dash === '—' && who === name && s.subarray(0, 4).toString('hex') === keyHash && verify(null, Buffer.from(text + '\n'), publicKey, s.subarray(4))
})
if (!signed) fail('the checkpoint is not signed by the key')

// 4. The proof leads from the entry to the checkpoint's root (RFC 9162, 2.1.3.2).
const [origin, size, root] = text.split('\n')
if (origin !== name) fail('the key is that of another log')
let [at, last] = [e.index, Number(size) - 1]
if (at > last) fail('the checkpoint does not cover the entry')
for (const p of receipt.proof.map(hex)) {
  if (last === 0) fail('the proof is too long')
  if (at % 2 === 1 || at === last) {
    hash = sha256('\x01', p, hash)
    while (at % 2 === 0 && at !== 0) { at /= 2; last = Math.floor(last / 2) }
  } else hash = sha256('\x01', hash, p)
  at = Math.floor(at / 2)
  last = Math.floor(last / 2)
}
if (last !== 0 || hash.toString('base64') !== root) fail('the proof does not lead to the root')
console.log(`entry ${e.index} is in the log ${origin}, recorded ${e.at} as ${e.kind}, ${payloads.length ? 'with this payload' : 'without its payload'}`)
