import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { events, get, post, save } from "../api";
import { asProblem, useHas, useLoad, useTitle } from "../hooks";
import { AnswerView } from "../parts/answer";
import { Bands } from "../parts/bands";
import { Bibliography } from "../parts/bibliography";
import { Decision } from "../parts/decision";
import { Graph } from "../parts/graph";
import { Failed, Waiting } from "../parts/small";
import { Steps } from "../parts/steps";
import { Turns } from "../parts/turns";
import { go } from "../router";
import { advance, begin, type Live } from "../stream";
import { count, head, moment } from "../text";
import type { Answer, AnswerHead, Job, Me, Page, Source } from "../types";
import { asShared } from "../share";

/** Ask: the answer streams in beside its evidence. The same view shows a recorded answer at its own address. */
export function Ask({ id, me }: { id: string; me: Me }) {
  const [live, setLive] = useState<Live>();
  const [question, setQuestion] = useState("");
  const running = useRef<AbortController>(undefined);
  const asking = useRef(false);
  const mine = live && (id === "" || live.answer.id === id) ? live : undefined;
  const stored = useLoad<Answer>(id && !mine ? `/api/v1/answers/${encodeURIComponent(id)}` : "");
  const canThink = useHas("POST", "/api/v1/think");
  const [steps, setSteps] = useState(false);
  const [goOn, setGoOn] = useState(true);
  const answer = mine?.answer ?? stored.data;
  useTitle(head(answer?.question ?? "", 80));
  useEffect(() => () => running.current?.abort(), []);
  // Who comes back to the empty page finds it empty.
  useEffect(() => {
    if (id === "" && !asking.current) {
      running.current?.abort();
      setLive(undefined);
    }
  }, [id]);

  const ask = async (text: string) => {
    const conversation = goOn ? answer?.conversation : undefined;
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    asking.current = true;
    const how = id === "" ? "push" : "replace";
    go("/");
    let now = begin(text);
    setLive(now);
    // Events may come faster than they can be drawn: each frame shows what has come until then.
    let frame = 0;
    const show = (next: Live) => {
      now = next;
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        if (running.current === stop) setLive(now);
      });
    };
    try {
      for await (const e of events(steps && canThink ? "/api/v1/think" : "/api/v1/ask", { question: text, conversation }, stop.signal)) {
        show(advance(now, e.event, JSON.parse(e.data)));
      }
    } catch (err) {
      if (stop.signal.aborted) return cancelAnimationFrame(frame);
      show({ ...now, state: "failed", error: asProblem(err).message });
    }
    cancelAnimationFrame(frame);
    asking.current = false;
    flushSync(() => setLive(now));
    // From now on the address is that of the record; what is pinned stays pinned.
    if (now.answer.id) go(`/answers/${now.answer.id}${location.hash}`, how);
  };
  const submit = (text: string) => {
    if (!text.trim()) return;
    setQuestion("");
    void ask(text.trim());
  };
  const writing = !!mine && mine.state !== "done" && mine.state !== "failed";
  const done = answer && !writing && answer.id;
  return (
    <div className={answer || id ? "wide" : "one"}>
      {answer?.conversation && done && <Turns key={`turns ${answer.id}`} of={answer} />}
      {answer ? <Question key={answer.id} text={answer.question} /> : !id && <h1>Ask your documents</h1>}
      {!answer && !id && <QuestionField value={question} onChange={setQuestion} onSubmit={submit} steps={canThink ? { on: steps, set: setSteps } : undefined} />}
      {stored.loading && <Waiting>opening the answer</Waiting>}
      {stored.error && <Failed error={stored.error} again={stored.again} />}
      {mine && writing && mine.state !== "writing" && !answer?.steps?.length && <Waiting>{mine.doing}</Waiting>}
      {mine?.error && (
        <p className="failed" role="alert">
          {mine.error}
        </p>
      )}
      <p className="sr" role="status">
        {mine?.state === "done" ? "the answer is complete" : writing ? "the answer is being written" : ""}
      </p>
      {answer && (
        <>
          {!!answer.steps?.length && <Steps steps={answer.steps} doing={writing && !answer.text ? mine?.doing : undefined} />}
          <AnswerView answer={answer} writing={writing} recorded={!!answer.id}>
            {done && (
              <>
                <Decision answer={answer} />
                <Graph answer={answer} />
                {!!answer.steps?.length && <Bands steps={answer.steps} />}
                <Bibliography answer={answer} recorded>
                  <button type="button" onClick={() => save(new Blob([asShared(answer)], { type: "text/html" }), `answer-${answer.id}-evidence.html`)}>
                    One page to share
                  </button>
                </Bibliography>
              </>
            )}
            {!writing && (
              <div className="more">
                <QuestionField small value={question} onChange={setQuestion} onSubmit={submit} steps={canThink ? { on: steps, set: setSteps } : undefined} goOn={answer.conversation ? { on: goOn, set: setGoOn } : undefined} />
              </div>
            )}
          </AnswerView>
        </>
      )}
      {!answer && !id && <Begin onAsk={submit} me={me} />}
    </div>
  );
}

/** A question of an application may be a prompt of many pages: its beginning is enough to know it by. */
function Question({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const beginning = head(text, 400);
  if (beginning === text) return <h1 className="question">{text || "An answer without a question"}</h1>;
  return (
    <>
      <h1 className="question long">{whole ? text : beginning}</h1>
      <p>
        <button type="button" className="link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "only its beginning" : "the whole question"}
        </button>
      </p>
    </>
  );
}

interface Tick {
  on: boolean;
  set: (on: boolean) => void;
}

function QuestionField({ value, onChange, onSubmit, small, steps, goOn }: { value: string; onChange: (v: string) => void; onSubmit: (v: string) => void; small?: boolean; steps?: Tick; goOn?: Tick }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!small) field.current?.focus({ preventScroll: true });
  }, [small]);
  return (
    <form
      className="ask"
      role="search"
      onSubmit={(e) => {
        e.preventDefault();
        onSubmit(value);
      }}
    >
      <label htmlFor="question">{goOn?.on ? "Ask on" : small ? "Ask something else" : "Your question"}</label>
      <div className="ask-row">
        <input id="question" ref={field} value={value} maxLength={20000} autoComplete="off" placeholder={small ? "" : "When was the first transatlantic cable laid?"} onChange={(e) => onChange(e.target.value)} onKeyDown={(e) => e.key === "Escape" && e.currentTarget.blur()} />
        <button type="submit" className="primary">
          Ask
        </button>
      </div>
      {goOn && (
        <label className="tick">
          <input type="checkbox" checked={goOn.on} onChange={(e) => goOn.set(e.target.checked)} /> as a part of this conversation, which it may lean on
        </label>
      )}
      {steps && (
        <label className="tick">
          <input type="checkbox" checked={steps.on} onChange={(e) => steps.set(e.target.checked)} /> think in steps, each with sources of its own
        </label>
      )}
    </form>
  );
}

const tries = ["When was the first transatlantic cable laid?", "Why did the cable of 1858 fail?", "Who was Cyrus Field?", "What did the cable of 1866 cost?"];

/** The empty page teaches: what to load, what to try, what was asked before. */
function Begin({ onAsk, me }: { onAsk: (q: string) => void; me: Me }) {
  const sources = useLoad<Page<Source>>("/api/v1/sources?limit=200");
  const answers = useLoad<Page<AnswerHead>>("/api/v1/answers?limit=8");
  const sampled = sources.data?.items.some((s) => s.title === "The Cable of 1858");
  if (sources.error) return <Failed error={sources.error} again={sources.again} />;
  if (!sources.data) return null;
  const empty = sources.data.items.length === 0;
  return (
    <div className="begin">
      {empty ? (
        <Teach onLoaded={sources.again} me={me} />
      ) : (
        <p className="soft">
          {sources.data.next ? `${sources.data.items.length} and more sources` : count(sources.data.items.length, "source")} in the <a href="/library">library</a> · {me.model === "extractive" || !me.model ? "no language model: answers are sentences taken from your documents" : `answers are written by ${me.model}`}
        </p>
      )}
      {sampled && (
        <section>
          <h2>Try</h2>
          <ul className="plain">
            {tries.map((q) => (
              <li key={q}>
                <button type="button" className="link" onClick={() => onAsk(q)}>
                  {q}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {!!answers.data?.items.length && (
        <section>
          <h2>Asked before</h2>
          <ul className="plain">
            {answers.data.items.map((a) => (
              <li key={a.id}>
                <a href={`/answers/${a.id}`}>{head(a.question, 160) || "an answer without a question"}</a> <span className="soft">{moment(a.created_at)}</span>
              </li>
            ))}
          </ul>
          {answers.data.next && (
            <p>
              <a href="/answers">all answers</a>
            </p>
          )}
        </section>
      )}
    </div>
  );
}

/** Loads the sample library where the server has it. */
export function Teach({ onLoaded, me }: { onLoaded: () => void; me: Me }) {
  const sample = useHas("POST", "/api/v1/sample");
  const [job, setJob] = useState<Job>();
  const [error, setError] = useState("");
  const load = async () => {
    setError("");
    try {
      let j = await post<Job>("/api/v1/sample", {});
      setJob(j);
      while (j.state === "running") {
        await new Promise((ok) => setTimeout(ok, 300));
        j = await get<Job>(`/api/v1/jobs/${j.id}`);
        setJob(j);
      }
      onLoaded();
    } catch (err) {
      setJob(undefined);
      setError(asProblem(err).message);
    }
  };
  if (me.scope === "read") {
    return (
      <section className="teach">
        <h2>The library is empty</h2>
        <p>Your key may read only. Who runs the server can take documents in.</p>
      </section>
    );
  }
  return (
    <section className="teach">
      <h2>The library is empty</h2>
      <p>Ibid answers from documents, and shows for every sentence which words of which document it rests on. Give it some:</p>
      <div className="row">
        {sample && (
          <button type="button" className="primary" onClick={() => void load()} disabled={!!job && job.state === "running"}>
            Load the sample library
          </button>
        )}
        <button type="button" className={sample ? undefined : "primary"} onClick={() => go("/library")}>
          Add your own
        </button>
      </div>
      {sample && <p className="soft">The sample: sixteen documents on the telegraph cables across the Atlantic, as PDF, Word, HTML, Markdown and text.</p>}
      {job && (
        <Waiting>
          reading {job.done} of {job.total}
          {job.outcomes.at(-1) ? `: ${job.outcomes.at(-1)!.name}` : ""}
        </Waiting>
      )}
      {error && (
        <p className="failed" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
