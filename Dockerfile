# The service as one image: Node runs the sources as they are, so there is nothing to build.
# Its Node is the one that package.json brings along, which a test compares.
ARG NODE=24.21.0
FROM node:${NODE}-bookworm-slim AS dependencies
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
# The embedded PostgreSQL and the checkers are optional packages and stay out. The image runs in production, so
# set BASE_URL, DATABASE_URL, SECRET_KEY, and SMTP_URL or EMAIL_TO_LOG=1.
RUN npm ci --omit=dev --omit=optional --omit=peer --ignore-scripts

FROM node:${NODE}-bookworm-slim
ENV NODE_ENV=production ENVIRONMENT=production HOST=0.0.0.0 PORT=3000
WORKDIR /service
COPY --from=dependencies /service/node_modules node_modules
COPY package.json LICENSE README.md CHANGELOG.md ./
COPY core core
COPY adapters adapters
COPY apps apps
COPY docs docs
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/v1/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM goes to Node itself, which drains and exits with 0.
STOPSIGNAL SIGTERM
CMD ["node", "apps/http/main.ts"]
