import { type FakeClock, fakeClock, seededRandom } from "@capstan/testing";
import type { GuestHost, GuestMachine, SimulationOptions } from "../src/index.ts";
import { type AcmeSimulator, createAcmeSimulator } from "./guide/acme-cloud.ts";

interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Acme extends AcmeSimulator, AsyncDisposable {
  readonly clock: FakeClock;
  /** With the token, unless the path is of the control interface. */
  readonly call: (path: string, call?: Call) => Promise<Answer>;
}

const jsonOf = (text: string): unknown => (text === "" ? undefined : JSON.parse(text));

/** A started account on a fake clock. */
export const startAcme = async (
  options: Partial<Omit<SimulationOptions, "clock">> & { readonly clock?: FakeClock } = {},
): Promise<Acme> => {
  const clock = options.clock ?? fakeClock();
  const simulator = await createAcmeSimulator({ random: seededRandom(process.pid), ...options, clock });
  await simulator.cloud.start();
  return {
    ...simulator,
    clock,
    call: async (path, { method = "GET", body, headers = {} } = {}) => {
      const token = path.startsWith("/_simulator/") ? {} : { authorization: "Bearer acme-token" };
      const answer = await fetch(`${simulator.api.url}${path}`, {
        method,
        headers: { ...token, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, headers: answer.headers, body: jsonOf(await answer.text()) };
    },
    [Symbol.asyncDispose]: () => simulator.cloud.stop(),
  };
};

/** Creates a server and returns its id. */
export const createServer = async ({ call }: Acme, name: string, userData = ""): Promise<number> => {
  const { body } = await call("/servers", { method: "POST", body: { name, userData } });
  return (body as { readonly id: number }).id;
};

export interface RecordingGuest extends GuestHost {
  readonly booted: readonly GuestMachine[];
  /** Ids, with a plus when the disk is kept. */
  readonly stopped: readonly string[];
}

/** Notes what it is asked to play. */
export const recordingGuest = (): RecordingGuest => {
  const booted: GuestMachine[] = [];
  const stopped: string[] = [];
  return {
    booted,
    stopped,
    boot: (machine) => {
      booted.push(machine);
      machine.console(`hello from ${machine.name}`);
    },
    shutdown: (id, { keepDisk = false } = {}) => {
      stopped.push(keepDisk ? `${id}+` : id);
    },
    run: async (id, script) => ({ exitCode: 0, stdout: `${id}: ${script}`, stderr: "" }),
  };
};
