export { startKubeApiserver } from "./kube-apiserver/start-kube-apiserver.ts";
export type { KubeApiserver, KubeApiserverOptions, KubeUser } from "./kube-apiserver/start-kube-apiserver.ts";
