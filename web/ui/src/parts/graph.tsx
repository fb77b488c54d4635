import { useEffect, useState } from "react";
import { blob, download } from "../api";
import type { Answer } from "../types";
import { Doing } from "./small";

/** Which claims of an answer stand on which sources, and which of these are copies of each other: drawn when asked for. */
export function Graph({ answer }: { answer: Answer }) {
  const [picture, setPicture] = useState("");
  useEffect(() => () => URL.revokeObjectURL(picture), [picture]);
  const path = (to: string) => `/api/v1/answers/${encodeURIComponent(answer.id)}/graph?to=${to}`;
  return (
    <div className="graph">
      <Doing className="link" done="" onClick={async () => setPicture(URL.createObjectURL(await blob(path("svg"))))}>
        draw claims and sources
      </Doing>
      {" · "}
      <Doing className="link" done=" kept" onClick={() => download(path("graphml"), `${answer.id}.graphml`)}>
        GraphML
      </Doing>
      {picture && <img src={picture} alt="Claims of the answer joined to the sources they stand on; the evidence of each segment says the same in words" />}
    </div>
  );
}
