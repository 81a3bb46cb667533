import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import type { PrinterColumn, ResourceDefinition } from "../model/types.ts";
import { tableOf } from "./table-of.ts";

const now = Date.parse("2026-01-01T01:00:00Z");
const created = { name: "n", namespace: "ns", creationTimestamp: "2026-01-01T00:00:00Z" };
type Fields = Readonly<Record<string, unknown>>;
const make = (fields: Fields, metadata: Fields = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { ...created, ...metadata },
  ...fields,
});

const definitions = builtinDefinitions();
const builtin = (resource: string): ResourceDefinition =>
  definitions.find(({ group, plural }) => `${group}/${plural}` === resource) as ResourceDefinition;
const custom = (columns: readonly PrinterColumn[]): ResourceDefinition => ({
  ...builtin("/configmaps"),
  origin: "custom",
  columns,
});
const names = (definition: ResourceDefinition): string =>
  tableOf({ definition, objects: [], now })
    .columnDefinitions?.map(({ name, priority }) => `${name}${priority === 0 ? "" : "*"}`)
    .join(",") ?? "";
const cells = (definition: ResourceDefinition, object: KubeObject): readonly unknown[] =>
  tableOf({ definition, objects: [object], now }).rows[0]?.cells ?? [];

describe("tableOf", () => {
  const objects = [make({ data: { a: "1" } }, { managedFields: [] })];
  const definition = builtin("/configmaps");

  it("describes columns and rows", () => {
    expect(tableOf({ definition, objects, now, listMeta: { resourceVersion: "7" } })).toEqual({
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      metadata: { resourceVersion: "7" },
      columnDefinitions: [
        { name: "Name", type: "string", format: "name", description: expect.any(String) as string, priority: 0 },
        { name: "Data", type: "string", format: "", description: expect.any(String) as string, priority: 0 },
        { name: "Age", type: "string", format: "", description: expect.any(String) as string, priority: 0 },
      ],
      rows: [
        {
          cells: ["n", 1, "60m"],
          object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: objects[0]?.metadata },
        },
      ],
    });
  });

  it("includes as much of the objects as wanted", () => {
    expect(tableOf({ definition, objects, now, includeObject: "Object" }).rows[0]?.object).toBe(objects[0]);
    expect(tableOf({ definition, objects, now, includeObject: "None" }).rows[0]?.object).toBeNull();
  });

  it("leaves the columns out of later events", () => {
    expect(tableOf({ definition, objects, now, withColumns: false }).columnDefinitions).toBeNull();
  });
});

describe("tables of custom resources", () => {
  it("show name and age when nothing else is said", () => {
    expect(names(custom([]))).toBe("Name,Age");
    expect(cells(custom([]), make({}))).toEqual(["n", "60m"]);
  });

  it("show the name before the columns", () => {
    expect(names(custom([{ name: "Wide", type: "string", jsonPath: ".spec.host", priority: 1 }]))).toBe("Name,Wide*");
  });

  const object = make({
    spec: {
      text: "t",
      n: 3,
      f: 1.5,
      yes: true,
      nul: null,
      map: { a: 1 },
      list: ["a", "b"],
      bad: "x",
      when: "2026-01-01T00:59:23Z",
    },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  });
  const cases: readonly [type: PrinterColumn["type"], jsonPath: string, cell: unknown][] = [
    ["string", ".spec.text", "t"],
    ["string", ".spec.n", "3"],
    ["string", ".spec.yes", "true"],
    ["string", ".spec.missing", null],
    ["string", ".spec.nul", "<no value>"],
    ["string", ".spec.map", '{"a":1}'],
    ["string", ".spec.list", '["a","b"]'],
    ["string", ".spec.list[*]", "a"],
    ["string", '.status.conditions[?(@.type=="Ready")].status', "True"],
    ["string", '.status.conditions[?(@.type=="No")].status', null],
    ["string", "not a path", null],
    ["integer", ".spec.n", 3],
    ["integer", ".spec.f", 1],
    ["integer", ".spec.bad", null],
    ["number", ".spec.f", 1.5],
    ["number", ".spec.yes", null],
    ["boolean", ".spec.yes", true],
    ["boolean", ".spec.n", null],
    ["date", ".spec.when", "37s"],
    ["date", ".spec.bad", "<invalid>"],
    ["date", ".spec.missing", null],
  ];
  it.each(cases)("%s %s is %j", (type, jsonPath, cell) => {
    expect(cells(custom([{ name: "C", type, jsonPath }]), object)[1]).toEqual(cell);
  });
});

const ready = (status: string) => ({ conditions: [{ type: "Ready", status }] });

describe("columns of built-in kinds", () => {
  it.each([
    ["/namespaces", "Name,Status,Age"],
    ["/secrets", "Name,Type,Data,Age"],
    ["/services", "Name,Type,Cluster-IP,External-IP,Port(s),Age,Selector*"],
    ["/nodes", "Name,Status,Roles,Age,Version,Internal-IP*,External-IP*,OS-Image*,Kernel-Version*,Container-Runtime*"],
    ["/pods", "Name,Ready,Status,Restarts,Age,IP*,Node*,Nominated Node*,Readiness Gates*"],
    ["apps/deployments", "Name,Ready,Up-to-date,Available,Age,Containers*,Images*,Selector*"],
    ["coordination.k8s.io/leases", "Name,Holder,Age"],
    ["/events", "Last Seen,Type,Reason,Object,Subobject*,Source*,Message,First Seen*,Count*,Name*"],
    ["/serviceaccounts", "Name,Age"],
    ["rbac.authorization.k8s.io/roles", "Name,Created At"],
    ["rbac.authorization.k8s.io/clusterrolebindings", "Name,Role,Age,Users*,Groups*,ServiceAccounts*"],
    ["admissionregistration.k8s.io/mutatingwebhookconfigurations", "Name,Webhooks,Age"],
    ["/endpoints", "Name,Endpoints,Age"],
    ["policy/poddisruptionbudgets", "Name,Min Available,Max Unavailable,Allowed Disruptions,Age"],
    ["apiregistration.k8s.io/apiservices", "Name,Service,Available,Age"],
    ["apiextensions.k8s.io/customresourcedefinitions", "Name,Created At"],
  ])("%s: %s", (resource, columns) => {
    expect(names(builtin(resource))).toBe(columns);
  });

  const running = { name: "c", ready: true, state: { running: {} } };
  const spec = { containers: [{ name: "c" }, { name: "d" }], nodeName: "node" };
  const cases: readonly [resource: string, fields: Fields, metadata: Fields, cells: readonly unknown[]][] = [
    [
      "/nodes",
      { status: ready("True"), spec: { unschedulable: true } },
      { labels: { "node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/a": "" } },
      ["n", "Ready,SchedulingDisabled", "a,worker", "60m", ""],
    ],
    ["/nodes", { status: ready("False") }, {}, ["n", "NotReady", "<none>"]],
    ["/nodes", {}, {}, ["n", "Unknown"]],
    [
      "/services",
      {
        spec: { type: "LoadBalancer", clusterIP: "10.0.0.1", ports: [{ port: 80, protocol: "TCP", nodePort: 30_000 }] },
      },
      {},
      ["n", "LoadBalancer", "10.0.0.1", "<pending>", "80:30000/TCP", "60m", "<none>"],
    ],
    [
      "/services",
      { spec: { type: "LoadBalancer" }, status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }, { hostname: "h" }] } } },
      {},
      ["n", "LoadBalancer", "<none>", "1.2.3.4,h", "<none>"],
    ],
    [
      "/services",
      { spec: { type: "ExternalName", externalName: "x.example" } },
      {},
      ["n", "ExternalName", "<none>", "x.example"],
    ],
    [
      "/pods",
      {
        spec,
        status: {
          phase: "Running",
          containerStatuses: [
            running,
            {
              ready: false,
              restartCount: 2,
              state: { waiting: { reason: "CrashLoopBackOff" } },
              lastState: { terminated: { finishedAt: "2026-01-01T00:55:00Z" } },
            },
          ],
        },
      },
      {},
      ["n", "1/2", "CrashLoopBackOff", "2 (5m ago)", "60m", "<none>", "node", "<none>", "<none>"],
    ],
    [
      "/pods",
      { spec, status: { phase: "Running", containerStatuses: [running, running] } },
      {},
      ["n", "2/2", "Running", "0"],
    ],
    ["/pods", { spec, status: { phase: "Running" } }, { deletionTimestamp: "x" }, ["n", "0/2", "Terminating"]],
    [
      "/pods",
      { spec, status: { phase: "Failed", containerStatuses: [{ state: { terminated: { exitCode: 2 } } }] } },
      {},
      ["n", "0/2", "ExitCode:2"],
    ],
    [
      "/pods",
      {
        spec: { ...spec, initContainers: [{ name: "i" }, { name: "j" }] },
        status: {
          phase: "Pending",
          initContainerStatuses: [
            { name: "i", state: { terminated: { exitCode: 0 } } },
            { name: "j", state: { waiting: { reason: "PodInitializing" } } },
          ],
        },
      },
      {},
      ["n", "0/2", "Init:1/2"],
    ],
    [
      "/pods",
      {
        spec: { ...spec, readinessGates: [{ conditionType: "A" }, { conditionType: "B" }] },
        status: { phase: "Pending", conditions: [{ type: "A", status: "True" }] },
      },
      {},
      ["n", "0/2", "Pending", "0", "60m", "<none>", "node", "<none>", "1/2"],
    ],
    [
      "apps/deployments",
      {
        spec: {
          replicas: 3,
          selector: { matchLabels: { a: "b" } },
          template: { spec: { containers: [{ name: "c", image: "i" }] } },
        },
        status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
      },
      {},
      ["n", "1/3", 2, 1, "60m", "c", "i", "a=b"],
    ],
    [
      "/events",
      {
        involvedObject: { kind: "Pod", name: "p", fieldPath: "spec" },
        source: { component: "kubelet", host: "h" },
        type: "Normal",
        reason: "R",
        message: " m\n",
        count: 3,
        firstTimestamp: "2026-01-01T00:00:00Z",
        lastTimestamp: "2026-01-01T00:59:00Z",
      },
      {},
      ["60s", "Normal", "R", "pod/p", "spec", "kubelet, h", "m", "60m", 3, "n"],
    ],
    [
      "events.k8s.io/events",
      {
        regarding: { kind: "Pod", name: "p" },
        reportingController: "c",
        note: "m",
        eventTime: "2026-01-01T00:59:30.000000Z",
        series: { count: 4, lastObservedTime: "2026-01-01T00:59:50.000000Z" },
      },
      {},
      ["10s", "", "", "pod/p", "", "c", "m", "30s", 4, "n"],
    ],
    [
      "/endpoints",
      { subsets: [{ addresses: [{ ip: "a" }, { ip: "b" }], ports: [{ port: 1 }, { port: 2 }] }] },
      {},
      ["n", "a:1,b:1,a:2 + 1 more..."],
    ],
    [
      "policy/poddisruptionbudgets",
      { spec: { minAvailable: "50%" }, status: { disruptionsAllowed: 1 } },
      {},
      ["n", "50%", "N/A", 1],
    ],
    [
      "rbac.authorization.k8s.io/rolebindings",
      {
        roleRef: { kind: "Role", name: "r" },
        subjects: [
          { kind: "User", name: "u" },
          { kind: "User", name: "v" },
          { kind: "ServiceAccount", namespace: "ns", name: "s" },
        ],
      },
      {},
      ["n", "Role/r", "60m", "u, v", "", "ns/s"],
    ],
    ["rbac.authorization.k8s.io/roles", {}, {}, ["n", "2026-01-01T00:00:00Z"]],
    [
      "apiregistration.k8s.io/apiservices",
      { status: { conditions: [{ type: "Available", status: "False", reason: "Gone" }] } },
      {},
      ["n", "Local", "False (Gone)"],
    ],
    [
      "batch/jobs",
      { spec: { completions: 3 }, status: { succeeded: 1, conditions: [] } },
      {},
      ["n", "Running", "1/3", ""],
    ],
    [
      "batch/jobs",
      {
        spec: { parallelism: 2 },
        status: {
          startTime: "2026-01-01T00:00:00Z",
          completionTime: "2026-01-01T00:03:05Z",
          conditions: [{ type: "Complete", status: "True" }],
        },
      },
      {},
      ["n", "Complete", "0/1 of 2", "3m5s"],
    ],
    [
      "batch/cronjobs",
      { spec: { schedule: "@daily", suspend: true }, status: { active: [{}] } },
      {},
      ["n", "@daily", "<none>", "True", 1, "<none>"],
    ],
    [
      "autoscaling/horizontalpodautoscalers",
      {
        spec: {
          scaleTargetRef: { kind: "Deployment", name: "d" },
          maxReplicas: 3,
          metrics: [{ type: "Resource", resource: { name: "cpu", target: { averageUtilization: 50 } } }],
        },
      },
      {},
      ["n", "Deployment/d", "cpu: <unknown>/50%", "<unset>", 3, 0],
    ],
    [
      "networking.k8s.io/ingresses",
      { spec: { rules: [{ host: "a.b" }, {}], tls: [{}] }, status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } },
      {},
      ["n", "<none>", "a.b", "1.2.3.4", "80, 443"],
    ],
    [
      "/persistentvolumeclaims",
      {
        spec: { volumeName: "v", storageClassName: "s" },
        status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteMany", "ReadWriteOnce"] },
      },
      {},
      ["n", "Bound", "v", "1Gi", "RWO,RWX", "s", "<unset>"],
    ],
    [
      "/resourcequotas",
      { status: { hard: { pods: "3", "limits.cpu": "2" }, used: { pods: "1" } } },
      {},
      ["n", "pods: 1/3", "limits.cpu: 0/2"],
    ],
    [
      "storage.k8s.io/storageclasses",
      { provisioner: "p", reclaimPolicy: "Delete" },
      { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      ["n (default)", "p", "Delete", "", "false"],
    ],
    [
      "certificates.k8s.io/certificatesigningrequests",
      { status: { conditions: [{ type: "Approved" }], certificate: "x" } },
      {},
      ["n", "60m", "", "", "<none>", "Approved,Issued"],
    ],
  ];
  it.each(cases)("%s %j", (resource, fields, metadata, expected) => {
    expect(cells(builtin(resource), make(fields, metadata)).slice(0, expected.length)).toEqual(expected);
  });
});
