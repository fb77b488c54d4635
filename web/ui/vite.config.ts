import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// `npm run dev` serves the page with its sources; the API is that of a server beside it (ibid serve).
const server = process.env.IBID_SERVER ?? "http://localhost:8080";

export default defineConfig({
  plugins: [react()],
  build: {
    emptyOutDir: false, // dist/placeholder.txt stays, so that the Go program builds without Node
    assetsInlineLimit: 0, // the content security policy allows files only
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { "/api": { target: server, changeOrigin: true } } },
  test: { include: ["src/**/*.test.ts"] },
});
