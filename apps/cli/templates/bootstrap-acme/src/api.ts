export { AcmeConfig, AcmeConfigTemplate } from "./api/acme-config.v1alpha1.ts";
