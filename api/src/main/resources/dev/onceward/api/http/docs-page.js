SwaggerUIBundle({
  url: '/openapi.yaml',
  dom_id: '#description',
  deepLinking: true,
  // Never asked of a validator outside.
  validatorUrl: null,
});
