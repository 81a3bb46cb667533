import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createApiServer, customResources } from "@capstan/apiserver";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import { createLogger, systemClock } from "@capstan/runtime";
import { apiVersionOf, crdOf, type Resource } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import { BmcJob, BmcMachine, BmcTask, Hardware, Template, Workflow } from "@capstan/tinkerbell/api";
import { serve } from "../../src/serve/serve.ts";
import { lab } from "./netboot-lab.ts";

/** A program for the namespace of a rack: a management API, Tinkerbell, and a server of kernel and initrd. It says what happens, a line of JSON each. */
const [files = "", ipxeFolder = ""] = process.argv.slice(2);

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const create = (client: Client, kind: Resource, name: string, spec: object) =>
  client.create(kind, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { namespace: "default", name },
    spec,
  });

const shell = (name: string, script: string) => ({
  name,
  image: "lab/shell",
  timeout: 60,
  command: ["/bin/sh", "-c", script],
});

const hardware = ({
  address,
  mac,
  name,
}: {
  readonly name: string;
  readonly mac: string;
  readonly address: string;
}) => ({
  userData: lab.userData,
  metadata: { instance: { id: name, hostname: name } },
  interfaces: [
    {
      dhcp: { mac, hostname: name, lease_time: 3600, ip: { address, netmask: "255.255.255.0", gateway: lab.server } },
      netboot: { allowPXE: false },
    },
  ],
});

const fill = async (client: Client): Promise<void> => {
  const metadata = `http://${lab.server}:7080/2009-04-04`;
  const read = `echo CAPSTAN; wget -qO- ${metadata}/meta-data/instance-id; echo; wget -qO- ${metadata}/user-data`;
  const actions = [
    shell("write", `(${read}) > /tmp/d && dd if=/tmp/d of=/dev/vda conv=fsync 2>/dev/null`),
    shell("last", "dd if=/dev/vda bs=7 count=1 2>/dev/null | grep -q CAPSTAN"),
  ];
  const { mac, name } = lab.machine;
  const tasks = [{ name: "install", worker: mac, actions }];
  await create(client, Hardware, name, hardware(lab.machine));
  await create(client, Hardware, lab.client.name, hardware(lab.client));
  await create(client, Template, "install", { data: JSON.stringify({ name: "install", global_timeout: 600, tasks }) });
  const bootOptions = { toggleAllowNetboot: true };
  await create(client, Workflow, "install", { templateRef: "install", hardwareRef: name, bootOptions });
};

/** Says every change of the Workflow. */
const follow = async (client: Client, signal: AbortSignal): Promise<void> => {
  for (let before = ""; !signal.aborted; await systemClock.sleep(250, { signal })) {
    const { status = {} } = await client.get(Workflow, { namespace: "default", name: "install" });
    const { spec } = await client.get(Hardware, { namespace: "default", name: lab.machine.name });
    const actions = (status.tasks ?? []).flatMap((task) => task.actions.map(({ state }) => state));
    const line = { state: status.state, actions, allowPXE: spec?.interfaces?.[0]?.netboot?.allowPXE };
    if (JSON.stringify(line) !== before) say(line);
    before = JSON.stringify(line);
  }
};

const end = new AbortController();
process.once("SIGTERM", () => end.abort());
const server = createApiServer({ clock: systemClock, random: seededRandom(77), extensions: [customResources()] });
await server.start();
const access = await loadKubeconfig({ text: await server.adminKubeconfig() });
const client = createClient(connect({ access, clock: systemClock }));
for (const kind of [Hardware, Template, Workflow, BmcMachine, BmcJob, BmcTask]) {
  await client.create(CustomResourceDefinitionResource, crdOf(kind));
}
await systemClock.sleep(1000);
await fill(client);
createServer((request, response) => {
  readFile(join(files, request.url?.slice(1) ?? "")).then(
    (content) => response.end(content),
    () => response.writeHead(404).end(),
  );
}).listen(lab.filesPort, lab.server);
await serve(
  {
    address: lab.server,
    parts: ["workflow", "http", "grpc", "dhcp", "tftp", "syslog"],
    namespaces: [],
    leaderElect: false,
    systemNamespace: "default",
    ipxeFolder,
    dhcp: { mode: "reservation" },
  },
  {
    access,
    clock: systemClock,
    log: createLogger({ format: "text" }),
    signal: end.signal,
    ready: () => {
      say({ ready: true });
      follow(client, end.signal).catch(() => undefined);
    },
  },
);
process.exit(0);
