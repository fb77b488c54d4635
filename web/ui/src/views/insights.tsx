import { useTitle } from "../hooks";

export default function Insights() {
  useTitle("Insights");
  return (
    <div className="one">
      <h1>Insights</h1>
      <p className="soft">This server does not give it out yet.</p>
    </div>
  );
}
