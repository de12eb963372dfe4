app_name = "kingdom"
urlpatterns: list[object] = []
