import { useLayoutEffect, useRef, type RefObject } from "react";

/** A thin line from a segment to its evidence. It is drawn over the page and takes no part in it. */
export function Wire({ from, to, kind, watch }: { from: string; to: RefObject<HTMLElement | null>; kind: string; watch: unknown[] }) {
  const path = useRef<SVGPathElement>(null);
  useLayoutEffect(() => {
    let frame = 0;
    const draw = () => {
      frame = 0;
      const a = document.getElementById(from)?.getClientRects();
      const column = document.getElementById(from)?.closest(".prose")?.getBoundingClientRect();
      const b = to.current?.getBoundingClientRect();
      if (!path.current || !a?.length || !b || !column) {
        path.current?.setAttribute("d", "");
        return;
      }
      // It leaves in the margin beside the last line of the segment, so that it crosses no words.
      const last = a[a.length - 1];
      const y1 = last.top + last.height / 2;
      const x1 = column.right + 6;
      const x2 = b.left;
      const y2 = Math.min(Math.max(b.top + 22, 8), window.innerHeight - 8);
      const middle = (x1 + x2) / 2;
      path.current.setAttribute("d", `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`);
    };
    const later = () => {
      frame ||= requestAnimationFrame(draw);
    };
    draw();
    window.addEventListener("scroll", later, { passive: true });
    window.addEventListener("resize", later);
    const grown = new ResizeObserver(later);
    if (to.current) grown.observe(to.current);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", later);
      window.removeEventListener("resize", later);
      grown.disconnect();
    };
  }, [from, to, ...watch]);
  return (
    <svg className={`wire ${kind}`} aria-hidden="true">
      <path ref={path} />
    </svg>
  );
}
