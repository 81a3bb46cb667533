import type { Clock, Random } from "@capstan/contract";
import type { ControlPlace } from "../up/simulator-places.ts";
import { httpService, type Call, type ErrorAnswer } from "@capstan/kit";

/** Requests per second that a simulator accepts. */
export interface Throttle {
  readonly readsPerSecond?: number;
  readonly writesPerSecond?: number;
  readonly deletesPerSecond?: number;
}

/** A line of the console of a simulated machine. */
export interface ConsoleLine {
  readonly time: string;
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly providerID: string;
  readonly text: string;
}

/** The control interface of a simulator in this or another process. */
export interface SimulatorControl {
  /** Plans faults of the service whose name stands before the script, by default the first. Throws `simulator.invalid`, with what is wrong about the script. */
  addFaults(script: string, call: Call): Promise<void>;
  setSpeed(factor: number, call: Call): Promise<void>;
  setThrottle(rates: Throttle, call: Call): Promise<void>;
  /** Returns console lines from a number on, of one machine if it is named, and the next number. */
  console(
    query: { readonly since: number; readonly providerID?: string },
    call: Call,
  ): Promise<{ readonly next: number; readonly items: readonly ConsoleLine[] }>;
}

/** Its own words, which name the field. */
const message = ({ body }: ErrorAnswer): string | undefined =>
  (body as { readonly error?: { readonly message?: string } } | undefined)?.error?.message;

/** Calls the control interface of a simulator. Failures have the codes `simulator.<reason>`. */
export const simulatorControl = (
  { url, ca }: ControlPlace,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): SimulatorControl => {
  const service = httpService({
    name: "simulator",
    endpoint: url,
    errors: { message },
    clock,
    random,
    ...(ca !== undefined && { ca }),
  });
  return {
    addFaults: async (script, call) => {
      await service.post("/faults", { ...call, body: { script } });
    },
    setSpeed: async (factor, call) => {
      await service.put("/speed", { ...call, body: { factor } });
    },
    setThrottle: async (rates, call) => {
      await service.put("/throttle", { ...call, body: rates });
    },
    console: (query, call) => service.get("/console", { ...call, query }),
  };
};
