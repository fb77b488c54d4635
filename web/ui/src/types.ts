// The forms of the API, as /openapi.json describes them; only the fields that the page reads.

export type Pair = [number, number];

/** A half-open span. start and end count bytes; strings of this language are cut by utf16. */
export interface Span {
  start: number;
  end: number;
  utf16?: Pair;
}

export interface Anchor {
  document: string;
  span: Span;
}

export type Origin = "RAG" | "LLM" | "HYBRID" | "NONE";

export interface Contradiction {
  of: Span;
  to: Anchor;
  kind?: string;
  reason: string;
}

export interface Segment {
  at: Span;
  origin: Origin;
  kind?: "sentence" | "item" | "row" | "heading" | "code";
  refs?: number[];
  support: number;
  confidence: number;
  claimed?: { origin?: Origin; refs?: number[]; dangling?: number[] };
  unsupported?: Span[];
  contradicted?: Contradiction[];
  steps?: number[];
  reasons?: string[];
}

export interface Attribution {
  of: Span;
  to: Anchor;
  ref: number;
  confidence: number;
  method: string;
  trust: string;
  words?: Span[];
}

export interface Reference {
  title?: string;
  URL?: string;
  [field: string]: unknown;
}

export interface PassageSource {
  id: string;
  uri: string;
  reference: Reference;
}

export interface Mark {
  at: number;
  page?: number;
  heading?: string;
  level?: number;
}

export interface Chunk {
  at: Anchor;
  heading?: string[];
  page?: number;
  breaks?: Mark[];
  text: string;
  before: { runes: number; utf16: number };
}

export interface Passage {
  chunk: Chunk;
  source: PassageSource;
  rank: number;
  score: number;
}

export interface Citation {
  number: number;
  key: string;
  source: string;
  at: Anchor;
  quote: string;
  locator?: string;
  confidence: number;
}

export interface Step {
  number: number;
  question: string;
  text: string;
  passages?: Passage[];
  segments?: Segment[];
  attributions?: Attribution[];
  confidence: number;
  saw?: number[];
  trace?: string;
  seconds?: number;
  incomplete?: string;
}

export interface Verdict {
  pass: boolean;
  coverage: number;
  threshold?: number;
  outcome?: string;
  uncovered?: Span[];
  reasons?: string[];
  policy?: string;
  entry?: number;
}

export interface Shares {
  ragContribution: number;
  llmContribution: number;
}

export interface Answer {
  id: string;
  conversation?: string;
  question: string;
  steps?: Step[];
  passages: Passage[];
  text: string;
  segments: Segment[];
  attributions: Attribution[];
  citations: Citation[];
  verdict?: Verdict;
  model: string;
  created_at: string;
  incomplete?: string;
  entry?: number;
  shares?: Shares;
}

export interface AnswerHead {
  id: string;
  conversation?: string;
  question: string;
  model: string;
  created_at: string;
  /** Where the words that were looked for stand in the answer. */
  excerpt?: string;
}

export interface Page<T> {
  items: T[];
  next?: string;
}

export interface Version {
  document: string;
  version: number;
  media_type: string;
  fetched_at: string;
  bytes?: number;
  chunks?: number;
}

export interface Source {
  id: string;
  uri: string;
  title: string;
  reference: Reference;
  added_at: string;
  newest?: Version;
  versions: number;
}

export interface Document {
  id: string;
  source: string;
  version: number;
  media_type: string;
  fetched_at: string;
  outline: Mark[];
  bytes: number;
  at: Span;
  text: string;
  locator?: string;
}

export interface CitedPlace {
  answer: string;
  question: string;
  number: number;
  at: Anchor;
  confidence: number;
  created_at: string;
}

export interface Outcome {
  name: string;
  source?: string;
  document?: string;
  version?: number;
  new: boolean;
  warnings?: string[];
  error?: string;
}

export interface Job {
  id: string;
  state: "running" | "done" | "failed";
  total: number;
  done: number;
  failed: number;
  outcomes: Outcome[];
  error?: string;
}

export interface Style {
  name: string;
  title: string;
  kind?: string;
  built_in: boolean;
}

export interface Me {
  key?: string;
  scope: "read" | "write" | "admin";
  collection: string;
  all_collections: boolean;
  default_collection: string;
  version: string;
  model: string;
}

export interface Key {
  id: string;
  name: string;
  collection?: string;
  scope: "read" | "write" | "admin";
  created_at: string;
  revoked_at?: string;
}

export type Thumb = "right" | "wrong" | "missing";

export interface Feedback {
  id: string;
  answer: string;
  segment: number;
  source?: string;
  verdict: Thumb;
  created_at: string;
}

export interface Entry {
  index: number;
  at: string;
  kind: string;
  data: unknown;
  commitment: string;
  prev: string;
  hash: string;
}

export interface Verified {
  whole: boolean;
  library: "holds" | "differs" | "unchecked";
  entries: number;
  payloads: number;
  erased: number;
  checkpoints: number;
  root: string;
  notes: string[];
  problems: string[];
}

export interface Checkpoint {
  origin: string;
  entries: number;
  checkpoint?: string;
}

export interface SourceReference {
  identifier: string;
  category: string;
  endpoint?: string;
  fetched_at: string;
  agent?: string;
  tool?: string;
  call?: number;
}

export interface Claim {
  id: string;
  agent?: string;
  number: number;
  text: string;
  source: SourceReference | null;
  exempt?: string;
  at: string;
}

export interface Report {
  total_claims: number;
  required_claims: number;
  cited_claims: number;
  exempt_claims: number;
  uncited_claims: string[];
  coverage_score: number;
  threshold: number;
  is_compliant: boolean;
  outcome: string;
  reasons?: string[];
  rungs?: { trust: string; claims: number; coverage: number }[];
  agents?: { name: string; required_claims: number; cited_claims: number; coverage_score: number; is_compliant: boolean }[];
}

export interface RunHead {
  id: string;
  started_at: string;
  finished_at?: string;
  verdict?: Verdict;
  claim_count: number;
  first_claim?: string;
}

export interface Run {
  id: string;
  started_at: string;
  finished_at?: string;
  sources: SourceReference[];
  claims: Claim[];
  verdict?: Verdict;
  report?: Report;
}

export interface Review {
  id: string;
  subject: string;
  title: string;
  summary: string;
  uncited_claims: string[];
  reasons: string[];
  entry?: number;
  at: string;
  decision?: string;
}

export interface Rule {
  threshold: number;
  trust: string;
  outcome: string;
}

export interface Policy {
  name: string;
  off?: boolean;
  default: Rule;
  per_agent?: boolean;
}

export interface Drift {
  number: number;
  title: string;
  quote: string;
  cited_version: number;
  newest_version: number;
  state: "same" | "moved" | "changed" | "gone";
  now?: Anchor;
}

export interface Day {
  day: string;
  answers: number;
  sources: number;
  model: number;
  rag: number;
  hybrid: number;
  llm: number;
  uncited: number;
  contradicted: number;
  coverage: number;
}

export interface UsedSource {
  source: string;
  title: string;
  answers: number;
  places: number;
  trust: number;
}

export interface Bin {
  low: number;
  high: number;
  count: number;
  confidence: number;
  right: number;
  right_low: number;
  right_high: number;
}

export interface Insights {
  from: string;
  to: string;
  answers: number;
  segments: number;
  sources: number;
  model: number;
  uncited: number;
  contradicted: number;
  days: Day[];
  top_sources: UsedSource[];
  unused_sources: UsedSource[];
  unused_total: number;
  feedback: { right: number; wrong: number; missing: number; trust: number };
  reliability: Bin[];
  calibration_error: number;
  latency: { measured: number; p50: number; p90: number; p99: number };
}

export interface StudyHead {
  id: string;
  topic: string;
  depth: string;
  questions: number;
  open: number;
  done: boolean;
  working: boolean;
  created_at: string;
  updated_at: string;
}

export interface Place {
  source: string;
  number?: number;
  at: Anchor;
  quote: string;
  locator?: string;
}

export interface Evidence {
  id: string;
  statement: string;
  segment: number;
  category: string;
  confidence: number;
  validation: "verified" | "supported" | "disputed" | "unsupported";
  places: Place[];
}

export interface StudyQuestion {
  number: number;
  question: string;
  why?: string;
  state: "open" | "answered" | "unanswered" | "failed";
  note?: string;
  answer?: string;
  statements: Evidence[];
}

export interface Study extends StudyHead {
  model?: string;
  asked: StudyQuestion[];
  summary: string[];
  sources: { id: string; title: string; name?: string; type?: string; credibility: "high" | "medium" | "low"; quality?: number; why?: string[] }[];
  contradictions: { kind: string; severity: string; confidence: number; reason: string; a: Place; b: Place }[];
  metrics: { statements: number; high_confidence: number; medium_confidence: number; low_confidence: number; sources: number };
}

export type Stance = "proponent" | "opponent" | "synthesis";

export interface Statement {
  id: string;
  stance: Stance;
  text: string;
  argument_type: string;
  verification_status: "verified" | "supported" | "disputed" | "unverified";
  support: number;
  bearing: number;
  strength: number;
  step: number;
  segment: number;
  places: Place[];
}

export interface Finding {
  kind: string;
  severity: string;
  reason: string;
  a: { statement: string; words: string };
  b?: { statement: string; words: string };
}

export interface Argument {
  id: string;
  claim: string;
  statements: Statement[];
  weighed: { for: number; against: number; share: number; in_words: string };
  findings: Finding[];
  sources: { number: number; id: string; title: string; name?: string }[];
  model: string;
}
