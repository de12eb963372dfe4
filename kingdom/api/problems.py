from rest_framework.views import exception_handler as problem_handler

__all__ = ["problem_handler"]
