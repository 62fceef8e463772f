// The names that pi 1.6.0 imports of pi-telemetry. Nothing that reads, writes or compacts a session
// measures anything.
export const createTypedMetrics = () => ({});
export const createTypedSpanStarter = () => () => ({});
export const defineTelemetrySchema = (schema) => schema;
export const NOOP_TELEMETRY_CONTEXT = {};
export const NOOP_TELEMETRY_METRICS = {};
