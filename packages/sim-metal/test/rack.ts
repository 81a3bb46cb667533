import { request } from "node:https";
import { fakeClock, seededRandom } from "@capstan/testing";
import { createMetalSimulator, type MetalSimulator, type MetalSimulatorOptions } from "../src/index.ts";

export type RackOptions = Partial<MetalSimulatorOptions>;

/** A rack with a clock of its own. It is started. */
export const startRack = async (options: RackOptions = {}) => {
  const clock = fakeClock();
  const rack = await createMetalSimulator({ clock, random: seededRandom(process.pid), ...options });
  await rack.start();
  return { clock, rack };
};

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

interface RedfishCall {
  readonly method?: string;
  readonly body?: object;
  readonly authorization?: string;
}

/** Calls the Redfish of a machine, checking its certificate. */
export const redfish = (
  { rack: { state }, redfish: servedBy }: MetalSimulator,
  machine: string,
  path: string,
  { method = "GET", body, authorization = basic("admin", "simulated-bmc-password") }: RedfishCall = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${servedBy(machine).url}${path}`,
      {
        method,
        ca: state.authority?.certificate,
        headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += String(chunk)));
        response.once("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            body: (text === "" ? {} : JSON.parse(text)) as Answer["body"],
            headers: response.headers,
          }),
        );
      },
    );
    sent.once("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** Switches a machine by its Redfish. */
export const reset = (rack: MetalSimulator, machine: string, type: string): Promise<Answer> =>
  redfish(rack, machine, "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset", {
    method: "POST",
    body: { ResetType: type },
  });
