import { useEffect, useId, useRef, useState } from "react";

export interface Choice {
  value: string;
  label: string;
}

/** A field that searches and chooses, by mouse and by keys, after the ARIA pattern of that name. */
export function Combobox({ label, value, none, search, onChoose }: { label: string; value: Choice; none: string; search: (words: string) => Promise<Choice[]>; onChoose: (c: Choice) => void }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const [choices, setChoices] = useState<Choice[]>([]);
  const [at, setAt] = useState(-1);
  const asked = useRef(0);
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    if (!open) return;
    const mine = ++asked.current;
    const wait = setTimeout(() => {
      void search(words).then(
        (found) => {
          if (mine !== asked.current) return;
          setChoices(found);
          setAt(found.length && words ? 0 : found.findIndex((c) => c.value === value.value));
        },
        () => setChoices([]),
      );
    }, words ? 120 : 0);
    return () => clearTimeout(wait);
  }, [open, words, search, value.value]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const close = () => {
    setOpen(false);
    setWords("");
  };
  const choose = (c: Choice | undefined) => {
    if (c) onChoose(c);
    close();
  };
  return (
    <div className="combobox">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={open ? words : value.label}
        placeholder={open ? value.label : undefined}
        onFocus={(e) => e.target.select()}
        onClick={() => setOpen(true)}
        onChange={(e) => {
          setOpen(true);
          setWords(e.target.value);
        }}
        onBlur={close}
        onKeyDown={(e) => {
          if (e.key === "ArrowDown" || e.key === "ArrowUp") {
            e.preventDefault();
            setOpen(true);
            const by = e.key === "ArrowDown" ? 1 : -1;
            setAt((n) => Math.max(0, Math.min(choices.length - 1, n + by)));
          } else if (e.key === "Enter" && open) {
            e.preventDefault();
            choose(choices[at]);
          } else if (e.key === "Escape" && open) {
            e.preventDefault();
            close();
          }
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} ref={list} hidden={!open}>
        {choices.map((c, i) => (
          <li key={c.value} id={`${id}-${i}`} role="option" aria-selected={i === at} onMouseDown={(e) => e.preventDefault()} onClick={() => choose(c)} onMouseMove={() => setAt(i)}>
            {c.label}
          </li>
        ))}
        {!choices.length && (
          <li role="option" aria-selected="false" aria-disabled="true" className="soft">
            {none}
          </li>
        )}
      </ul>
    </div>
  );
}
