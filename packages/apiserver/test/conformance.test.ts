import { conformance } from "./conformance/conformance.ts";
import { startTarget } from "./embedded-server.ts";

conformance(async () => {
  const { server, target } = await startTarget();
  return { target, stop: () => server.stop() };
});
