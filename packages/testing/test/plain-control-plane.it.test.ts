import { afterAll, beforeAll, describe, it } from "vitest";
import { controlPlaneConformance } from "../src/conformance.ts";
import { plainControlPlaneSubject } from "./plain-control-plane-subject.ts";

// `npm run test:exhaustive` takes every point.
controlPlaneConformance({ afterAll, beforeAll, describe, it, crashEvery: 29 }, plainControlPlaneSubject);
