import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { defineProvider } from "@capstan/kit";
import type { Kind } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import { freePort } from "@capstan/testing";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { HostAgent } from "../../src/elemental/agent/agent.ts";
import { agentConfigPath } from "../../src/elemental/agent/agent-config.ts";
import type { HostSystem } from "../../src/elemental/agent/host-system.ts";
import { nodeSystem } from "../../src/elemental/agent/node-system.ts";
import { dummyPlugin } from "../../src/elemental/agent/plugins/dummy-plugin.ts";
import { ElementalHost } from "../../src/elemental/api/elemental-host.v1beta1.ts";
import { ElementalRegistration } from "../../src/elemental/api/elemental-registration.v1beta1.ts";
import type { ElementalOptions } from "../../src/elemental/options.ts";
import { elementalControllers, elementalKinds } from "../../src/elemental/elemental.ts";

/** The part of the provider that is about Elemental. */
export const createElementalProvider = (options: ElementalOptions) =>
  defineProvider({
    name: "infra-elemental",
    kinds: elementalKinds,
    register: (host) => {
      for (const controller of elementalControllers(options)) host.add(controller);
    },
  });

/** A management API with the provider, and the Elemental API over TLS. */
export class ElementalWorld {
  readonly environment: ConformanceEnvironment;
  readonly namespace: string;
  readonly endpoint: string;
  readonly #stop: () => Promise<void>;
  readonly #options: ElementalOptions;
  readonly #folders: string[] = [];
  readonly #replicas: (() => Promise<void>)[] = [];

  private constructor(
    environment: ConformanceEnvironment,
    namespace: string,
    endpoint: string,
    { options, stop }: { readonly options: ElementalOptions; readonly stop: () => Promise<void> },
  ) {
    this.#options = options;
    this.environment = environment;
    this.namespace = namespace;
    this.endpoint = endpoint;
    this.#stop = stop;
  }

  static async start(more: ElementalOptions = {}): Promise<ElementalWorld> {
    const environment = await ConformanceEnvironment.start(elementalKinds as readonly Kind[]);
    const port = await freePort();
    const endpoint = `127.0.0.1:${port}`;
    const elemental = { endpoint, listen: { host: "127.0.0.1", port }, ...more };
    const manager = await environment.runManager({ providers: [createElementalProvider(elemental)] });
    const namespace = await environment.namespace();
    const stop = async (): Promise<void> => {
      await manager.stop();
      await environment.stop();
    };
    return new ElementalWorld(environment, namespace, endpoint, { options: elemental, stop });
  }

  /** Another replica of the manager, which serves the API at another port; resolves to the registration `fleet` there. */
  async replica(): Promise<string> {
    const port = await freePort();
    const elemental = { ...this.#options, listen: { host: "127.0.0.1", port } };
    const manager = await this.environment.runManager({ providers: [createElementalProvider(elemental)] });
    this.#replicas.push(() => manager.stop());
    return `https://127.0.0.1:${port}/elemental/v1/namespaces/${this.namespace}/registrations/fleet`;
  }

  async stop(): Promise<void> {
    for (const each of this.#replicas) await each();
    await this.#stop();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  key(name: string) {
    return { namespace: this.namespace, name };
  }

  /** Makes a registration, and waits until it is filled in. */
  async register(
    name = "fleet",
    spec: NonNullable<ElementalRegistration["spec"]> = {},
  ): Promise<ElementalRegistration> {
    const { client } = this.environment;
    await client.create(ElementalRegistration, {
      apiVersion: apiVersionOf(ElementalRegistration),
      kind: ElementalRegistration.kind,
      metadata: this.key(name),
      spec,
    });
    return this.registered(name);
  }

  async registered(name = "fleet"): Promise<ElementalRegistration> {
    const found = await this.environment.eventually<ElementalRegistration>(
      ElementalRegistration,
      this.key(name),
      (object) => (object?.spec?.config?.elemental?.registration?.token ?? "") !== "",
    );
    if (found === undefined) throw new Error("the registration is gone");
    return found;
  }

  host(name: string): Promise<ElementalHost | undefined> {
    return this.environment.client.find<ElementalHost>(ElementalHost, this.key(name));
  }

  /** A host that has booted from a medium with the settings of the registration. */
  hostOf(registration: ElementalRegistration, name: string): TestHost {
    const root = mkdtempSync(join(tmpdir(), "capstan-host-"));
    this.#folders.push(root);
    return new TestHost(this, registration, { name, root });
  }
}

/** A host whose files are in a folder, with the agent's programs. */
export class TestHost {
  readonly system: HostSystem;
  reboots = 0;
  readonly #world: ElementalWorld;
  readonly #name: string;
  readonly #root: string;

  constructor(
    world: ElementalWorld,
    registration: ElementalRegistration,
    place: { readonly name: string; readonly root: string },
  ) {
    this.#world = world;
    this.#name = place.name;
    this.#root = place.root;
    this.system = { ...nodeSystem({ clock: world.environment.clock, root: place.root }), architecture: "amd64" };
    const { agent, registration: settings } = registration.spec?.config?.elemental ?? {};
    this.write(agentConfigPath, JSON.stringify({ registration: settings, agent }));
    this.write("/etc/os-release", 'ID="sl-micro"\nID_LIKE="suse"\nVERSION_ID="6.0"\n');
  }

  path(path: string): string {
    return join(this.#root, path);
  }

  read(path: string): string | undefined {
    try {
      return readFileSync(this.path(path), "utf8");
    } catch {
      return undefined;
    }
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
    chmodSync(this.path(path), 0o600);
  }

  agent(signal: AbortSignal = new AbortController().signal): HostAgent {
    const { clock, random } = this.#world.environment;
    const plugin = dummyPlugin({
      files: this.system.files,
      hostname: async () => this.#name,
      reboot: async () => {
        this.reboots += 1;
      },
    });
    return new HostAgent({ system: this.system, plugin, clock, random, log: silentLogger, signal });
  }

  /** Lets virtual time pass until the agent's command has ended. */
  async command(name: "install" | "register" | "reset" | "run"): Promise<string> {
    let outcome: string | undefined;
    let failure: unknown;
    this.agent()
      [name]()
      .then(
        (ended) => (outcome = ended),
        (error: unknown) => (failure = error),
      );
    await this.#world.environment.until(() => outcome !== undefined || failure !== undefined);
    if (failure !== undefined) throw failure;
    return outcome ?? "";
  }

  /** Runs the agent as a service until the condition holds. */
  async runUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
    const stop = new AbortController();
    const ended = this.agent(stop.signal)
      .run()
      .catch(() => undefined);
    try {
      await this.#world.environment.until(condition);
    } finally {
      stop.abort();
      await ended;
    }
  }
}
