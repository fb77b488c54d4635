/** Said where the server does not have what a view shows: nothing is made up in its place. */
export function Absent({ title, what }: { title: string; what: string }) {
  return (
    <div className="one">
      <h1>{title}</h1>
      <p className="soft">{what}</p>
    </div>
  );
}
