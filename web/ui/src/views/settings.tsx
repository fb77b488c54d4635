import { useState } from "react";
import { trust } from "../answer";
import { key, post, remove } from "../api";
import { asProblem, useHas, useLoad, useTitle } from "../hooks";
import { Failed, Table } from "../parts/small";
import { openCollection } from "../router";
import { day, percent } from "../text";
import type { Key, Me, Page, Policy } from "../types";

/** Settings: keys, the model, the policy. What the server was started with is shown, not changed. */
export function Settings({ me }: { me: Me }) {
  useTitle("Settings");
  return (
    <div className="one wider">
      <h1>Settings</h1>
      <dl className="facts">
        <dt>Model</dt>
        <dd>{me.model === "extractive" || !me.model ? "none: answers are sentences taken from your documents" : me.model}</dd>
        <dt>Collection</dt>
        <dd>
          {me.collection || "none: what is in no collection"}
          {me.all_collections && <OtherCollection me={me} />}
        </dd>
        <dt>You may</dt>
        <dd>{{ read: "read", write: "read and write", admin: "read, write and administer" }[me.scope]}</dd>
        <dt>Version</dt>
        <dd>{me.version}</dd>
      </dl>
      <p className="soft">The model and the policy are set where the server is started: ibid help config.</p>
      <Policies />
      {me.key && <Who name={me.key} />}
      {me.scope === "admin" && <Keys me={me} />}
      <section>
        <h2>For programs</h2>
        <p>
          The same is there as an <a href="/docs">API</a>, described by <a href="/openapi.json">OpenAPI</a>.
        </p>
      </section>
    </div>
  );
}

/** Leads to a collection by its name. One that is not there yet is made by what is taken into it. */
function OtherCollection({ me }: { me: Me }) {
  const [name, setName] = useState("");
  return (
    <form
      className="ask-row other-collection"
      onSubmit={(e) => {
        e.preventDefault();
        if (name.trim()) openCollection(name.trim(), me);
      }}
    >
      <input aria-label="Name of another collection" value={name} maxLength={200} autoComplete="off" onChange={(e) => setName(e.target.value)} placeholder="another, or a new one" />
      <button type="submit">Open</button>
    </form>
  );
}

/** Who came, with a key or through a sign-in, and the way out. */
function Who({ name }: { name: string }) {
  const [error, setError] = useState("");
  const byKey = key.get() !== "";
  const leave = async () => {
    key.set("");
    if (!byKey) {
      // The answer leads elsewhere, which is not followed: the page begins anew.
      const res = await fetch("/auth/logout", { method: "POST", redirect: "manual" }).catch(() => undefined);
      if (!res || (res.type !== "opaqueredirect" && !res.ok)) return setError("the server did not sign you out; try again");
    }
    location.assign("/");
  };
  return (
    <p>
      {byKey ? `You came with key ${name}.` : `You are signed in as ${name}.`}{" "}
      <button type="button" onClick={() => void leave()}>
        {byKey ? "Forget it" : "Sign out"}
      </button>
      {error && (
        <span className="failed" role="alert">
          {" "}
          {error}
        </span>
      )}
    </p>
  );
}

function Policies() {
  const there = useHas("GET", "/api/v1/policies");
  const load = useLoad<{ in_use?: Policy; version?: string; presets: Policy[] }>(there ? "/api/v1/policies" : "");
  if (!load.data) return null;
  const used = load.data.in_use;
  const row = (p: Policy) => (p.off ? [p.name, "looks at nothing", "", ""] : [p.name, `${percent(p.default.threshold)} of claims${p.per_agent ? ", each agent" : ""}`, p.default.trust === "unlinked" ? "any link" : trust(p.default.trust), p.default.outcome]);
  return (
    <section aria-labelledby="policy">
      <h2 id="policy">Policy of the gate</h2>
      {used ? (
        <p>
          In use: {used.name} <span className="soft">version {load.data.version?.slice(0, 12)}</span>
        </p>
      ) : (
        <p>None is in use: answers are shown as they come, with what they rest on.</p>
      )}
      <Table caption="Policies" hidden head={["Name", "Must have a source", "A link counts from", "Otherwise"]} rows={[...(used ? [row(used)] : []), ...load.data.presets.filter((p) => p.name !== used?.name).map(row)]} />
    </section>
  );
}

function Keys({ me }: { me: Me }) {
  const keys = useLoad<Page<Key>>("/api/v1/keys");
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Key["scope"]>("read");
  const [everywhere, setEverywhere] = useState(false);
  const [secret, setSecret] = useState("");
  const [error, setError] = useState("");
  const attempt = (work: Promise<unknown>) =>
    work.then(
      () => {
        setError("");
        keys.again();
      },
      (err: unknown) => setError(asProblem(err).message),
    );
  const make = async () => {
    const made = await post<{ secret: string }>("/api/v1/keys", { name: name.trim(), scope, ...(!everywhere && { collection: me.collection }) });
    setSecret(made.secret);
    setName("");
  };
  const live = keys.data?.items ?? [];
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      {keys.error && <Failed error={keys.error} again={keys.again} />}
      {live.length > 0 ? (
        <Table
          caption="API keys"
          hidden
          head={["Name", "May", "Collection", "Made", ""]}
          rows={live.map((k) => [
            k.name,
            k.scope,
            k.collection === undefined ? "all" : k.collection || "none",
            day(k.created_at),
            k.revoked_at ? (
              <span className="soft">revoked {day(k.revoked_at)}</span>
            ) : (
              <button type="button" className="link" aria-label={`Revoke the key ${k.name}`} onClick={() => void attempt(remove(`/api/v1/keys/${encodeURIComponent(k.id)}`))}>
                revoke
              </button>
            ),
          ])}
        />
      ) : (
        keys.data && <p className="soft">There are none. A server that only this machine reaches needs none.</p>
      )}
      <form
        className="ask-row new-key"
        onSubmit={(e) => {
          e.preventDefault();
          if (name.trim()) void attempt(make());
        }}
      >
        <input aria-label="Name of the new key" value={name} onChange={(e) => setName(e.target.value)} placeholder="what it is for" />
        <select aria-label="What the new key may do" value={scope} onChange={(e) => setScope(e.target.value as Key["scope"])}>
          <option value="read">read</option>
          <option value="write">read and write</option>
          <option value="admin">administer</option>
        </select>
        {me.all_collections && (
          <select aria-label="Where the new key may do it" value={everywhere ? "all" : "this"} onChange={(e) => setEverywhere(e.target.value === "all")}>
            <option value="this">{me.collection ? `in ${me.collection}` : "in no collection"}</option>
            <option value="all">in all collections</option>
          </select>
        )}
        <button type="submit">Make a key</button>
      </form>
      {secret && (
        <p role="status" className="secret">
          <code>{secret}</code> <span className="soft">shown this once; only its hash is kept</span>
        </p>
      )}
      {error && (
        <p className="failed" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
