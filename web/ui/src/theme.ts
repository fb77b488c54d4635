// Light, dark, or as the system has it.

export type Theme = "auto" | "light" | "dark";

const kept = "ibid-theme";

export function theme(): Theme {
  const t = localStorage.getItem(kept);
  return t === "light" || t === "dark" ? t : "auto";
}

export function applyTheme(t: Theme = theme()): void {
  if (t === "auto") {
    localStorage.removeItem(kept);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(kept, t);
    document.documentElement.dataset.theme = t;
  }
}

export function nextTheme(): Theme {
  const order: Theme[] = ["auto", "light", "dark"];
  return order[(order.indexOf(theme()) + 1) % order.length];
}
