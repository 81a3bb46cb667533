import { createApiServer, customResources, type ApiServer } from "@capstan/apiserver";
import { Secret, silentLogger } from "@capstan/contract";
import { CustomResourceDefinitionResource, SecretResource } from "@capstan/contract/wire";
import { type Access, type Client, connect, createClient, directAccess, loadKubeconfig } from "@capstan/kube";
import { apiVersionOf, crdOf, resource } from "@capstan/schema";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { BmcJob, BmcMachine, BmcTask, Hardware, Template, Workflow } from "@capstan/tinkerbell/api";
import { type TinkerbellPart, tinkerbellParts } from "@capstan/tinkerbell";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { createProgram } from "../src/program.ts";
import { accountsOf } from "../src/roles/account-roles.ts";
import { serve } from "../src/serve/serve.ts";
import { fetched } from "./fetched.ts";

const clock = recentClock();
let server: ApiServer;
let client: Client;
let close: () => Promise<void>;

const rbac = "rbac.authorization.k8s.io";
const resources = [
  resource({ group: "", version: "v1", kind: "ServiceAccount", plural: "serviceaccounts" }),
  resource({ group: rbac, version: "v1", kind: "Role", plural: "roles" }),
  resource({ group: rbac, version: "v1", kind: "RoleBinding", plural: "rolebindings" }),
  resource({ group: rbac, version: "v1", kind: "ClusterRole", plural: "clusterroles", namespaced: false }),
  resource({
    group: rbac,
    version: "v1",
    kind: "ClusterRoleBinding",
    plural: "clusterrolebindings",
    namespaced: false,
  }),
];

beforeAll(async () => {
  server = createApiServer({ clock, random: seededRandom(8), extensions: [customResources()] });
  await server.start();
  const connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  client = createClient(connection);
  close = () => connection.close();
  for (const kind of [Hardware, Template, Workflow, BmcMachine, BmcJob, BmcTask]) {
    await client.create(CustomResourceDefinitionResource, crdOf(kind));
  }
  await clock.advance(1000);
  const accounts = accountsOf({ parts: tinkerbellParts, namespaces: [], systemNamespace: "default" });
  for (const each of accounts) {
    await client.create(
      resources.find(({ kind }) => kind === each.kind)!,
      each,
    );
  }
});
afterAll(async () => {
  await close();
  await server.stop();
});

const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"] as const;
const kinds: Readonly<Record<string, string>> = {
  hardware: "tinkerbell.org",
  "hardware/status": "tinkerbell.org",
  templates: "tinkerbell.org",
  "templates/status": "tinkerbell.org",
  workflows: "tinkerbell.org",
  "workflows/status": "tinkerbell.org",
  workflowrulesets: "tinkerbell.org",
  machines: "bmc.tinkerbell.org",
  "machines/status": "bmc.tinkerbell.org",
  jobs: "bmc.tinkerbell.org",
  "jobs/status": "bmc.tinkerbell.org",
  tasks: "bmc.tinkerbell.org",
  "tasks/status": "bmc.tinkerbell.org",
  secrets: "",
  configmaps: "",
  namespaces: "",
  pods: "",
  events: "",
  leases: "coordination.k8s.io",
  clusterroles: rbac,
};

const isAllowed = async (part: string, verb: string, whole: string, namespace: string): Promise<boolean> => {
  const [name, subresource] = whole.split("/");
  const { status } = await client.request<{ readonly status: { readonly allowed: boolean } }>({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: {
        user: `system:serviceaccount:default:capstan-metal-${part}`,
        groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
        resourceAttributes: { verb, group: kinds[whole], resource: name, subresource, namespace },
      },
    },
  });
  return status.allowed;
};

/** The verbs of an account on every resource that it may touch at all, in another namespace than its own. */
const allowedOf = async (part: TinkerbellPart): Promise<Readonly<Record<string, string>>> => {
  const found: Record<string, string> = {};
  for (const whole of Object.keys(kinds)) {
    const answers = await Promise.all(verbs.map((verb) => isAllowed(part, verb, whole, "rack")));
    const allowed = verbs.filter((_, index) => answers[index]);
    if (allowed.length > 0) found[whole] = allowed.join(" ");
  }
  return found;
};

const events = { events: "create patch" };

describe("the account of a part", () => {
  it.each<readonly [TinkerbellPart, Readonly<Record<string, string>>]>([
    ["http", { hardware: "list watch", secrets: "get" }],
    ["dhcp", { hardware: "list watch" }],
    ["tftp", { hardware: "list watch" }],
    ["syslog", { hardware: "list watch" }],
    ["grpc", { ...events, hardware: "list watch", workflows: "get list watch", "workflows/status": "patch" }],
    [
      "workflow",
      {
        ...events,
        hardware: "list watch patch",
        "hardware/status": "patch",
        templates: "list watch",
        workflows: "list watch",
        "workflows/status": "patch",
        machines: "list watch",
        jobs: "get list watch create delete",
        tasks: "list delete",
        namespaces: "list watch",
      },
    ],
    [
      "bmc",
      {
        ...events,
        machines: "list watch",
        "machines/status": "patch",
        jobs: "list watch",
        "jobs/status": "patch",
        tasks: "list watch create",
        "tasks/status": "patch",
        secrets: "get",
      },
    ],
  ])("%s may do what its controllers declare, and nothing else", async (part, expected) => {
    expect(await allowedOf(part)).toEqual(expected);
  });

  it("may lead where its Lease is, if it is that of controllers", async () => {
    const creates = await Promise.all(tinkerbellParts.map((part) => isAllowed(part, "create", "leases", "default")));
    expect(tinkerbellParts.filter((_, index) => creates[index])).toEqual(["workflow", "bmc"]);
  });
});

const accessOf = async (part: TinkerbellPart): Promise<Access> => {
  const { status } = await client.request<{ readonly status: { readonly token: string } }>({
    method: "POST",
    path: `/api/v1/namespaces/default/serviceaccounts/capstan-metal-${part}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 7200 } },
  });
  return directAccess({ url: server.url, ca: server.caCertificate, token: new Secret(status.token) });
};

const create = (kind: typeof Hardware | typeof Template | typeof Workflow, name: string, object: object) =>
  client.create(kind as typeof Workflow, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { namespace: "default", name, ...(object as { metadata?: object }).metadata },
    spec: (object as { spec: object }).spec,
  });

it("the parts run under their accounts, each in a process of its own", async () => {
  const annotations = { "capstan.dev/user-data-secret": "default/a-user-data" };
  const interfaces = [{ disableDhcp: false, dhcp: { mac: "52:54:00:00:00:01", ip: { address: "127.0.0.1" } } }];
  await create(Hardware, "a", { metadata: { annotations }, spec: { interfaces } });
  const data = { userData: btoa("keys"), hardware: btoa("default/a") };
  const metadata = { namespace: "default", name: "a-user-data" };
  const type = "capstan.dev/user-data";
  await client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata, type, data });
  const template = 'name: t\ntasks: [{name: one, worker: "52:54:00:00:00:01", actions: [{name: x, image: y}]}]\n';
  await create(Template, "t", { spec: { data: template } });
  await create(Workflow, "w", { spec: { templateRef: "t", hardwareRef: "a" } });
  const [httpPort, grpcPort, tftpPort, syslogPort] = await Promise.all([1, 2, 3, 4].map(() => freePort()));
  const ports = { httpPort: httpPort!, grpcPort: grpcPort!, tftpPort: tftpPort!, syslogPort: syslogPort! };
  const dhcp = { mode: "proxy", port: await freePort(), listen: "127.0.0.1" } as const;
  const end = new AbortController();
  const ready = new Set<TinkerbellPart>();
  const common = { namespaces: [], leaderElect: true, systemNamespace: "default", address: "127.0.0.1" };
  const run = async (part: TinkerbellPart): Promise<void> => {
    const environment = { access: await accessOf(part), clock, log: silentLogger, signal: end.signal };
    const options = { ...common, ...ports, parts: [part], dhcp, ipxeFolder: import.meta.dirname };
    return serve(options, { ...environment, ready: () => void ready.add(part) });
  };
  const ended = Promise.all(tinkerbellParts.map(run));
  let failure: unknown;
  ended.catch((error: unknown) => (failure = error));
  await clock.advanceUntil(() => ready.size === tinkerbellParts.length || failure !== undefined, { stepMs: 25 });
  expect(failure).toBeUndefined();
  expect(await fetched(`http://127.0.0.1:${httpPort}/2009-04-04/user-data`)).toBe("200 keys");
  let state: string | undefined;
  const look = async (): Promise<void> => {
    state = (await client.get(Workflow, { namespace: "default", name: "w" })).status?.state;
  };
  for (let round = 0; round < 100 && state !== "PENDING"; round += 1) {
    await look();
    await clock.advance(100);
  }
  expect(state).toBe("PENDING");
  end.abort();
  let over = false;
  ended.finally(() => (over = true)).catch(() => undefined);
  await clock.advanceUntil(() => over, { stepMs: 25 });
});

it("capstan-metal roles prints them for kubectl, in the namespaces that are named", async () => {
  let text = "";
  const program = createProgram({ write: (more) => void (text += more) });
  await program.parseAsync(["roles", "http", "--namespace", "rack", "--system-namespace", "metal"], { from: "user" });
  expect(parseAllDocuments(text).map((each) => each.toJS() as unknown)).toEqual(
    accountsOf({ parts: ["http"], namespaces: ["rack"], systemNamespace: "metal" }),
  );
  expect(text).not.toContain("ClusterRole");
});
