export { fakeClock } from "./clock.ts";
export type { AdvanceOptions, FakeClock, FakeClockOptions } from "./clock.ts";
export { startConnectProxy, startHiddenServer } from "./connect-proxy.ts";
export type { ConnectProxy, HiddenServer } from "./connect-proxy.ts";
export { freePort } from "./free-port.ts";
export { gatedProxy } from "./gated-proxy.ts";
export type { CallHook, GatedProxy } from "./gated-proxy.ts";
export { seededRandom } from "./random.ts";
export { recentClock } from "./recent-clock.ts";
