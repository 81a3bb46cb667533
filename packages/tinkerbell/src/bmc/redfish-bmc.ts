import type { Clock, Secret } from "@capstan/contract";
import type { Bmc, BmcBootDevice, BootChoice, PowerAction, PowerState } from "./bmc.ts";
import { refusedCredentials, refusedRequest, unreachable } from "./errors.ts";
import type { JsonAnswer, JsonExchange } from "./json-exchange.ts";

export interface RedfishOptions {
  /** `https://host:port`. */
  readonly url: string;
  readonly username: Secret<string>;
  readonly password: Secret<string>;
  /** Credentials with every request, instead of a session. */
  readonly useBasicAuth: boolean;
  /** Which system, where there are several: its name or id. */
  readonly systemName: string | undefined;
  /** In messages: what is asked, and which field says where it is. */
  readonly place: string;
  readonly exchange: JsonExchange;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Link {
  readonly "@odata.id": string;
}

interface System extends Link {
  readonly Id?: string;
  readonly Name?: string;
  readonly PowerState?: string | null;
  readonly Links?: { readonly ManagedBy?: readonly Link[] };
  readonly Actions?: { readonly "#ComputerSystem.Reset"?: ResetAction };
}

interface ResetAction {
  readonly target?: string;
  readonly "ResetType@Redfish.AllowableValues"?: readonly string[];
}

interface Drive extends Link {
  readonly MediaTypes?: readonly string[];
  readonly Inserted?: boolean;
}

const root = "/redfish/v1";

/** The first that a system allows is sent. */
const resetTypes: Readonly<Record<PowerAction, readonly [string, ...string[]]>> = {
  on: ["On", "ForceOn"],
  off: ["ForceOff"],
  soft: ["GracefulShutdown", "PushPowerButton"],
  cycle: ["PowerCycle"],
  reset: ["ForceRestart", "GracefulRestart"],
};

/** Responses of systems that do not have a type of reset, although they may list it. */
const notServed: readonly number[] = [400, 404, 405, 501];

/** Responses of board management without a service for sessions. */
const noSessions: readonly number[] = [404, 405, 501];

/** The time that a system has to switch off before it is switched on again, and the time between two looks. */
const offLimitMs = 120_000;
const offPollMs = 2000;

const targets: Readonly<Record<BmcBootDevice, string>> = {
  pxe: "Pxe",
  disk: "Hdd",
  bios: "BiosSetup",
  cdrom: "Cd",
};

/** A system that is paused has power; one that powers off still has it, and does not keep it. */
const powerStateOf = ({ PowerState: state }: System): PowerState => {
  if (state === "Off") return "off";
  return state === "On" || state === "PoweringOn" || state === "Paused" ? "on" : "unknown";
};

/** Board management by Redfish. */
export const redfishBmc = (options: RedfishOptions): Bmc => {
  const session = new Session(options);
  const system = (): Promise<System> => session.system();
  return {
    powerState: async () => powerStateOf(await system()),
    setPower: async (action) => {
      const found = await system();
      const state = powerStateOf(found);
      if (action === "on" ? state === "on" : state === "off" && (action === "off" || action === "soft")) return;
      await reset(session, found, state === "off" ? "on" : action, options);
    },
    setBootDevice: async (choice) => {
      const found = await system();
      await session.send("PATCH", found["@odata.id"], { Boot: override(choice) });
    },
    setMedia: async (url) => {
      const drive = await session.drive();
      if (url !== "") {
        await session.send("POST", `${drive["@odata.id"]}/Actions/VirtualMedia.InsertMedia`, { Image: url });
      } else if (drive.Inserted !== false) {
        await session.send("POST", `${drive["@odata.id"]}/Actions/VirtualMedia.EjectMedia`, {});
      }
    },
    close: () => session.close(),
  };
};

const resetOf = ({ "@odata.id": id, Actions }: System, action: PowerAction) => {
  const { target, "ResetType@Redfish.AllowableValues": allowed } = Actions?.["#ComputerSystem.Reset"] ?? {};
  const types = resetTypes[action];
  return {
    path: target ?? `${id}/Actions/ComputerSystem.Reset`,
    type: types.find((each) => allowed?.includes(each)) ?? types[0],
    isListed: allowed === undefined || types.some((each) => allowed.includes(each)),
  };
};

/** Sends a reset. A system without power cycles is switched off, and on again once it is off. */
const reset = async (session: Session, found: System, action: PowerAction, options: RedfishOptions): Promise<void> => {
  const { isListed, path, type } = resetOf(found, action);
  if (action !== "cycle") {
    await session.send("POST", path, { ResetType: type });
    return;
  }
  if (isListed && (await session.offer("POST", path, { ResetType: type }))) return;
  const { clock, place, signal } = options;
  await reset(session, found, "off", options);
  for (const since = clock.now(); powerStateOf(await session.system()) !== "off";) {
    if (clock.now() - since > offLimitMs) {
      throw unreachable(
        `${place}: it has no power cycle, and is not off ${offLimitMs / 60_000} minutes after ForceOff`,
      );
    }
    await clock.sleep(offPollMs, { signal });
  }
  await reset(session, found, "on", options);
};

const override = ({ device, persistent, efiBoot }: BootChoice) => ({
  BootSourceOverrideTarget: targets[device],
  BootSourceOverrideEnabled: persistent ? "Continuous" : "Once",
  BootSourceOverrideMode: efiBoot ? "UEFI" : "Legacy",
});

class Session {
  readonly #options: RedfishOptions;
  #headers: Readonly<Record<string, string>> | undefined;
  /** Where the session is, to be deleted in the end. */
  #location: string | undefined;

  constructor(options: RedfishOptions) {
    this.#options = options;
  }

  async send(method: string, path: string, body?: object): Promise<unknown> {
    this.#headers ??= await this.#login();
    const answer = await this.#exchange(method, path, body, this.#headers);
    return this.#checked(answer, `${method} ${path}`).body;
  }

  /** Returns false if this is not served; other failures are thrown. */
  async offer(method: string, path: string, body: object): Promise<boolean> {
    this.#headers ??= await this.#login();
    const answer = await this.#exchange(method, path, body, this.#headers);
    if (notServed.includes(answer.status)) return false;
    this.#checked(answer, `${method} ${path}`);
    return true;
  }

  async system(): Promise<System> {
    const { systemName, place } = this.#options;
    const systems = await this.#members<System>(`${root}/Systems`);
    if (systemName === undefined && systems.length > 1) {
      const names = systems.map(({ Id, Name }) => Name ?? Id).join(", ");
      throw refusedRequest(`${place}: there are the systems ${names}; name one in providerOptions.redfish.systemName`);
    }
    const found =
      systemName === undefined ? systems[0] : systems.find(({ Id, Name }) => Id === systemName || Name === systemName);
    if (found !== undefined) return found;
    throw refusedRequest(
      `${place}: there is no system ${systemName ?? ""}; correct providerOptions.redfish.systemName`,
    );
  }

  /** The drive for CDs of the system's manager. */
  async drive(): Promise<Drive> {
    const { Links } = await this.system();
    const managers = Links?.ManagedBy ?? (await this.#links(`${root}/Managers`));
    for (const manager of managers) {
      const { VirtualMedia: media } = (await this.send("GET", manager["@odata.id"])) as {
        readonly VirtualMedia?: Link;
      };
      if (media === undefined) continue;
      const drives = await this.#members<Drive>(media["@odata.id"]);
      const found = drives.find(({ MediaTypes = [] }) => MediaTypes.includes("CD") || MediaTypes.includes("DVD"));
      if (found !== undefined) return found;
    }
    throw refusedRequest(`${this.#options.place}: it has no virtual drive for CDs`);
  }

  async close(): Promise<void> {
    const { exchange } = this.#options;
    try {
      if (this.#location !== undefined) await this.#exchange("DELETE", this.#location, undefined, this.#headers ?? {});
    } catch {
      // Sessions that no one uses end by themselves.
    }
    await exchange.close();
  }

  async #links(path: string): Promise<readonly Link[]> {
    const { Members = [] } = (await this.send("GET", path)) as { readonly Members?: readonly Link[] };
    return Members;
  }

  async #members<T extends Link>(path: string): Promise<readonly T[]> {
    const all: T[] = [];
    for (const { "@odata.id": id } of await this.#links(path)) {
      all.push({ ...((await this.send("GET", id)) as T), "@odata.id": id });
    }
    return all;
  }

  async #login(): Promise<Readonly<Record<string, string>>> {
    const { username, password, useBasicAuth } = this.#options;
    const credentials = Buffer.from(`${username.reveal()}:${password.reveal()}`).toString("base64");
    const basic = { authorization: `Basic ${credentials}` };
    if (useBasicAuth) return basic;
    const body = { UserName: username.reveal(), Password: password.reveal() };
    const path = `${root}/SessionService/Sessions`;
    const answer = await this.#exchange("POST", path, body, {});
    // Old board management has no sessions.
    if (noSessions.includes(answer.status)) return basic;
    const { headers } = this.#checked(answer, `POST ${path}`);
    const token = String(headers["x-auth-token"] ?? "");
    const location = headers["location"];
    if (location !== undefined) this.#location = new URL(String(location), this.#options.url).pathname;
    return { "x-auth-token": token };
  }

  async #exchange(
    method: string,
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<JsonAnswer> {
    const { url, exchange, place } = this.#options;
    try {
      return await exchange.send({
        method,
        url: `${url}${path}`,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      const { code = "", message } = error as { readonly code?: string; readonly message: string };
      const why = message === "" ? code : message;
      throw unreachable(
        `${place}: ${url} does not answer (${why}); check that it is switched on and reachable from here, and that host, port and insecureTLS are right`,
        error,
      );
    }
  }

  #checked(answer: JsonAnswer, what: string): JsonAnswer {
    const { status, body } = answer;
    if (status < 300) return answer;
    const { place } = this.#options;
    if (status === 401 || status === 403) {
      throw refusedCredentials(
        `${place}: the credentials were refused (HTTP ${status}); correct the Secret of authSecretRef`,
      );
    }
    const { error } = (body ?? {}) as { readonly error?: { readonly message?: string } };
    const why = `${what} was answered with HTTP ${status}${error?.message === undefined ? "" : `: ${error.message}`}`;
    throw status >= 500 || status === 404 ? unreachable(`${place}: ${why}`) : refusedRequest(`${place}: ${why}`);
  }
}
