import { useTitle } from "../hooks";

export function Runs(_: { id?: string }) {
  useTitle("Runs");
  return (
    <div className="one">
      <h1>Runs</h1>
      <p className="soft">This server does not give it out yet.</p>
    </div>
  );
}
