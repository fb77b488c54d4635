import { useTitle } from "../hooks";

export function Audit(_: { id?: string }) {
  useTitle("Audit");
  return (
    <div className="one">
      <h1>Audit</h1>
      <p className="soft">This server does not give it out yet.</p>
    </div>
  );
}
