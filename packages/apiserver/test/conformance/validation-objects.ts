/** Objects that a server accepts, each with what a case says otherwise: group, plural and body of the request that makes one. */

type Body = readonly [api: string, plural: string, object: object];

const of =
  (api: string, plural: string, usual: object = {}) =>
  (spec: object = {}): Body => [api, plural, { spec: { ...usual, ...spec } }];

export const c = (more: object = {}) => ({ name: "c", image: "i", ...more });
export const podSpec = (more: object = {}, container: object = {}) => ({ containers: [c(container)], ...more });
export const pod = (more?: object, container?: object): Body => ["/api/v1", "pods", { spec: podSpec(more, container) }];

/** Pods with one thing in one place. */
export const containing = (more: object): Body => pod({}, more);
export const env = (variable: object): Body => containing({ env: [{ name: "A", ...variable }] });
export const probed = (probe: object): Body => containing({ livenessProbe: probe });
export const secured = (securityContext: object): Body => pod({ securityContext });
export const containerSecured = (securityContext: object): Body => containing({ securityContext });
export const vol = (source: object): Body => pod({ volumes: [{ name: "v", ...source }] });
export const mnt = (mount: object, container: object = {}): Body =>
  pod({ volumes: [{ name: "v" }] }, { volumeMounts: [{ name: "v", mountPath: "/a", ...mount }], ...container });
export const limited = (limits: object, requests?: object): Body => containing({ resources: { limits, requests } });

const required = "requiredDuringSchedulingIgnoredDuringExecution";
export const nodeTerm = (term: object): Body =>
  pod({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [term] } } } });
export const podTerm = (term: object): Body =>
  pod({ affinity: { podAffinity: { [required]: [{ topologyKey: "a", ...term }] } } });
export const spread = (constraint: object): Body =>
  pod({
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", ...constraint }],
  });

export const labels = { app: "x" };
export const sel = { matchLabels: labels };
export const tmpl = (spec: object = {}, own: object = labels, container: object = {}) => ({
  metadata: { labels: own },
  spec: podSpec(spec, container),
});
const usual = { selector: sel, template: tmpl() };
const apps = "/apis/apps/v1";
export const dep = of(apps, "deployments", usual);
export const rs = of(apps, "replicasets", usual);
export const ds = of(apps, "daemonsets", usual);
export const ss = of(apps, "statefulsets", { serviceName: "s", ...usual });
export const rc = of("/api/v1", "replicationcontrollers", { template: tmpl() });

export const ending = { template: { spec: podSpec({ restartPolicy: "Never" }) } };
export const job = of("/apis/batch/v1", "jobs", ending);
export const cron = of("/apis/batch/v1", "cronjobs", { schedule: "* * * * *", jobTemplate: { spec: ending } });

export const svcb = { service: { name: "s", port: { number: 80 } } };
export const ing = of("/apis/networking.k8s.io/v1", "ingresses");
/** An Ingress with one path, to a Service unless it says otherwise. */
export const routed = (path: object, host?: string): Body =>
  ing({
    rules: [
      {
        ...(host === undefined ? {} : { host }),
        http: { paths: [{ path: "/", pathType: "Prefix", backend: svcb, ...path }] },
      },
    ],
  });
export const np = of("/apis/networking.k8s.io/v1", "networkpolicies", { podSelector: {} });
/** A NetworkPolicy that lets in what comes from a block of addresses. */
export const block = (cidr: string, ...except: readonly string[]): Body =>
  np({ ingress: [{ from: [{ ipBlock: { cidr, except } }] }] });

export const amount = (storage: string) => ({ resources: { requests: { storage } } });
export const pvc = of("/api/v1", "persistentvolumeclaims", { accessModes: ["ReadWriteOnce"], ...amount("1Gi") });
export const pv = of("/api/v1", "persistentvolumes", {
  capacity: { storage: "1Gi" },
  accessModes: ["ReadWriteOnce"],
  hostPath: { path: "/x" },
});
export const svc = of("/api/v1", "services", { ports: [{ port: 80 }] });
export const quota = of("/api/v1", "resourcequotas");
export const limitRange = (...limits: readonly object[]): Body => ["/api/v1", "limitranges", { spec: { limits } }];
