import { useLoad } from "../hooks";
import { answersOf } from "../router";
import { head } from "../text";
import type { Answer, AnswerHead, Page } from "../types";

/** The place of an answer in its conversation: what was asked before it and after it. */
export function Turns({ of }: { of: Answer }) {
  const list = useLoad<Page<AnswerHead>>(`/api/v1/answers?conversation=${encodeURIComponent(of.conversation!)}&limit=200`);
  const turns = list.data?.items.toReversed() ?? []; // the oldest first, as it was spoken
  const at = turns.findIndex((t) => t.id === of.id);
  const all = list.data && !list.data.next; // a longer one is not counted
  return (
    <nav className="turns" aria-label="Conversation">
      <p className="soft">
        {all && at >= 0 ? `turn ${at + 1} of ${turns.length} of` : "of"} the <a href={answersOf({ conversation: of.conversation })}>conversation {head(of.conversation!, 40)}</a>
      </p>
      {at >= 0 && (
        <ul className="plain">
          {at > 0 && <Turn turn={turns[at - 1]} when="before" />}
          {at < turns.length - 1 && <Turn turn={turns[at + 1]} when="then" />}
        </ul>
      )}
    </nav>
  );
}

function Turn({ turn, when }: { turn: AnswerHead; when: string }) {
  return (
    <li>
      <span className="soft">{when}</span> <a href={`/answers/${encodeURIComponent(turn.id)}`}>{head(turn.question, 120) || "an answer without a question"}</a>
    </li>
  );
}
